/** Makes the chart an ARIA slider over its points. Keys such as the arrows select a point, and plus and minus zoom. */
import { indexAfterKey } from './points';

export interface ChartKeys {
  count(): number;
  words(index: number): string;
  /** Shows the point with this index, or no point if the index does not exist. */
  pointAt(index: number): void;
  zoom(factor: number): void;
}

const ZOOMS: Readonly<Record<string, number>> = { '+': 0.5, '=': 0.5, '-': 2 };

export function startKeys(slider: HTMLElement, name: string, keys: ChartKeys): void {
  let index = 0;
  const announce = (): void => {
    const last = Math.max(0, keys.count() - 1);
    const values = { valuemin: 0, valuemax: last, valuenow: index, valuetext: keys.words(index) };
    for (const [name, value] of Object.entries(values)) slider.setAttribute(`aria-${name}`, String(value));
  };
  slider.tabIndex = 0;
  slider.setAttribute('role', 'slider');
  slider.setAttribute('aria-label', name);
  announce();

  slider.addEventListener('focus', () => {
    index = Math.max(0, keys.count() - 1);
    announce();
  });
  slider.addEventListener('blur', () => keys.pointAt(-1));
  slider.addEventListener('keydown', (event) => {
    const factor = ZOOMS[event.key];
    const next = indexAfterKey(event.key, index, keys.count() - 1);
    if (factor === undefined && next === null) return;
    event.preventDefault();
    if (factor !== undefined) keys.zoom(factor);
    if (next === null) return;
    index = next;
    keys.pointAt(index);
    announce();
  });
}
