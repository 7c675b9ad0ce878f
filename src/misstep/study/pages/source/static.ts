/** The beginning of a page without a server: the table of screens, who comes, where answers go. */
import { takePart } from "./driver";
import { button, made, OWN } from "./elements";
import { browserStore, newId } from "./keeping/store";
import { byFile, byJatos, type Jatos } from "./transport/holders";
import { overTable, type Result, type Table, type Visit } from "./transport/static";
import { WORDS } from "./words";

declare global {
  interface Window {
    readonly MISSTEP_SCREENS: Table;
    readonly jatos?: Jatos;
  }
}

const PLACE = "place";
type Given = (name: string) => string | null;

function visit(given: Given, names: DOMStringMap): Visit {
  const one = (plain: string): string => given(names[plain] ?? plain) ?? given(plain) ?? "";
  return { person: one("person"), study: one("study"), session: one("session") };
}

function begin(given: Given): void {
  const table = window.MISSTEP_SCREENS;
  const store = browserStore();
  const { jatos } = window;
  const place = given(PLACE);
  const holder = jatos
    ? byJatos(jatos, place, table.places)
    : byFile(place, table.places, (result) => offer(result, () => transport.forget()));
  const who = visit(given, document.documentElement.dataset);
  const transport = overTable(table, holder, who, store, newId);
  void takePart(transport, store);
}

/** Above the last screen, which may lead away. The next person begins only once this one's answers are in a file; of who
 * doesn't consent nothing is handed over. */
function offer(result: Result, forget: () => void): void {
  const next = button(WORDS.next_person, "plain", () => {
    forget();
    location.reload();
  });
  next.hidden = result.ending !== "no_consent";
  document.querySelector("#handover")?.remove();
  const parts = next.hidden ? file(result, () => (next.hidden = false)) : [];
  document.querySelector("#stage")?.before(made("section", { id: "handover", lang: OWN }, ...parts, next));
}

function file(result: Result, saved: () => void): HTMLElement[] {
  const bytes = new Blob([`${JSON.stringify(result)}\n`], { type: "application/json" });
  const name = `misstep-${result.place}-${result.run}.json`;
  const link = made("a", { class: "main", href: URL.createObjectURL(bytes), download: name }, WORDS.save_file);
  link.addEventListener("click", saved);
  return [made("p", {}, WORDS.save_text), link];
}

const { jatos } = window;
if (jatos) jatos.onLoad(() => begin((name) => jatos.urlQueryParameters[name] ?? null));
else begin((name) => new URLSearchParams(location.search).get(name));
