"""Plain English words that mean something else than what they will name."""

VERBS = (
    *("admire", "bake", "bless", "bribe", "butter", "carve", "chase", "cheer", "comb", "cook"),
    *("curse", "dazzle", "deny", "dissolve", "embrace", "envy", "excuse", "feed", "flatter"),
    *("forgive", "greet", "hatch", "heal", "imitate", "inflate", "invite", "juggle"),
    *("knit", "lecture", "marry", "melt", "mock", "nag", "nurse", "oil", "paint"),
    *("peel", "pity", "polish", "praise", "quote", "rescue", "rinse", "roast", "rob", "salute"),
    *("scold", "shave", "sketch", "spoil", "starve", "sue", "tame", "tease", "thank"),
    *("tickle", "toast", "trick", "tutor", "vaccinate", "wake", "warn", "weave"),
    *("worship",),
)

ADJECTIVES = (
    *("ancient", "anxious", "bitter", "blunt", "brave", "calm", "clumsy", "crisp", "cruel"),
    *("curious", "damp", "dreamy", "dusty", "eager", "famous", "fancy", "fierce", "fluffy"),
    *("foolish", "frozen", "gentle", "gloomy", "golden", "greedy", "hollow", "honest", "hungry"),
    *("jealous", "jolly", "lazy", "lonely", "loyal", "lucky", "mellow", "modest", "muddy"),
    *("noisy", "odd", "patient", "polite", "proud", "quiet", "rotten", "royal", "rusty"),
    *("salty", "shy", "silly", "sleepy", "sour", "spicy", "stubborn", "sunny", "thirsty"),
    *("timid", "tired", "velvet", "vivid", "weary", "wicked", "wise", "witty", "young", "zesty"),
)

NOUNS = (
    *("anchor", "autumn", "badge", "bagpipe", "banquet", "beard", "candle", "canyon", "carnival"),
    *("cactus", "comet", "cousin", "dragon", "feather", "fiddle", "forest", "garlic"),
    *("glacier", "harvest", "hedgehog", "island", "jungle", "kettle", "ladder", "lantern"),
    *("lemon", "meadow", "mirror", "monsoon", "mustard", "necklace", "orchard", "parade"),
    *("parrot", "pepper", "pillow", "poem", "pumpkin", "puppet", "riddle", "ribbon", "saddle"),
    *("shadow", "song", "teacup", "thunder", "trumpet", "tulip", "tunnel", "turnip", "umbrella"),
    *("violin", "volcano", "walnut", "whistle", "wizard", "yoghurt"),
)

RELATIONS = (
    *("adores", "advises", "amuses", "annoys", "avoids", "blames", "calms", "craves", "doubts"),
    *("dreads", "follows", "forgets", "guards", "hates", "haunts", "hires", "hugs", "inherits"),
    *("inspires", "insults", "kisses", "misses", "needs", "obeys", "outruns", "owes", "pays"),
    *("pleases", "puzzles", "raises", "recalls", "resembles", "respects", "serves", "startles"),
    *("teaches", "tolerates", "trusts", "visits", "worries"),
)
"""Said as "object 1 craves object 2"."""

BETWEEN = ("with", "near", "under", "beside", "behind", "above", "without", "despite", "like")
"""What stands before an action's further arguments, in turn."""
