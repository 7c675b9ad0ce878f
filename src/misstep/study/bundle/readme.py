"""What stands in a bundle's README for whoever puts it on a web server."""

from __future__ import annotations

from collections.abc import Sequence

from misstep.study.course.nouns import Study


def readme(study: Study, places: int, truths: Sequence[str]) -> str:
    held = "".join(f"- {one}\n" for one in truths)
    warning = (
        "**Warning.** Whoever looks into `screens.js` finds:\n\n"
        f"{held}\nThe truth of the items that count is not in it.\n"
        if truths
        else "No right answer is in these files, neither of items nor of other questions.\n"
    )
    return f"""# {" ".join(study.title.split())}

A study of misstep's without a server: put this folder on any web server, or open `index.html` from
the disk. Study `{study.digest}`, consent text `{study.consent_digest}`.

- Each participant takes a place: `index.html?place=0` to `index.html?place={places - 1}`. The place
  decides what they meet; give each a link of their own. Without it a place is drawn at random, and
  some are taken twice. `&{study.links.person}=…` may name the participant.
- Answers stay in the participant's browser until the end; a reload goes on where they were. At the
  end the page offers them as a file, which you collect. Nothing is sent anywhere.
- `misstep study import FILES --study STUDY.toml` reads the files; then `misstep study export`.
- A bonus is reckoned then, and not shown on the page.

{warning}"""
