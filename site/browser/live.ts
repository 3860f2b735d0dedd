/** Keeps the page up to date. The server renders the changed parts in the same way as the whole page. */
import { siteData } from './api';

interface Fresh {
  status?: string;
  yesPrice?: number;
  noPrice?: number;
  fragments: Record<string, string>;
}

const EVERY_MS = 3000;

/** Asks again every few seconds while the page is visible. After a failure it waits longer. */
export function keepFresh(
  path: string,
  after: (fresh: Fresh) => void = () => undefined,
): () => Promise<void> {
  const refresh = async (): Promise<void> => {
    const fresh = await siteData<Fresh>(path);
    for (const [id, markup] of Object.entries(fresh.fragments)) {
      const target = document.getElementById(id);
      // An unchanged part is left alone, because the reader may be selecting text in it.
      if (target !== null && target.dataset.markup !== markup) {
        target.innerHTML = markup;
        target.dataset.markup = markup;
      }
    }
    after(fresh);
  };
  let failures = 0;
  const turn = (): void => {
    const wait = EVERY_MS * 2 ** Math.min(failures, 4);
    setTimeout(() => {
      if (document.hidden) {
        turn();
        return;
      }
      refresh()
        .then(
          () => (failures = 0),
          () => (failures += 1),
        )
        .finally(turn);
    }, wait);
  };
  turn();
  return refresh;
}
