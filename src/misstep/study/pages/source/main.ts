/** The page's beginning: who comes, where the study is, and off. */
import { takePart } from "./driver";
import { browserStore, newId } from "./keeping/store";
import { overHttp, type Visitor } from "./transport/http";

/** The URL's parameters, under the names that the study gives them, or under plain ones. */
function visitor(search: string, names: DOMStringMap): Visitor {
  const given = new URLSearchParams(search);
  const one = (plain: string): string => given.get(names[plain] ?? plain) ?? given.get(plain) ?? "";
  return { person: one("person"), study: one("study"), session: one("session") };
}

const store = browserStore();
const base = new URL("./", location.href).pathname;
const who = visitor(location.search, document.documentElement.dataset);
void takePart(overHttp(base, who, store, newId), store);
