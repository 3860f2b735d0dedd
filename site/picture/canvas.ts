/** A small canvas of inks: rectangles, and filled outlines with smooth edges. */
import { letterOf } from './letters';
import type { Coverage } from './outline';
import type { Color, Raster } from './png';

/**
 * How many shades a smooth edge has between an ink and the color that it runs into (`on`). A PNG with a palette has at
 * most 256 colors, and the shades of all inks must fit into them.
 */
const LEVELS = 15;

export interface Ink {
  color: Color;
  /** The color that its smooth edges run into. */
  on: Color;
}

interface Place {
  left: number;
  top: number;
}

export interface Canvas<Name extends string> extends Raster {
  rectangle(ink: Name, area: Place & { width: number; height: number }): void;
  outline(ink: Name, shape: Coverage, place: Place): void;
  /** `top` is the base line of the letters. */
  text(ink: Name, text: string, place: Place & { size: number }): void;
}

export function createCanvas<Name extends string>(
  { width, height }: { width: number; height: number },
  background: Color,
  inks: Record<Name, Ink>,
): Canvas<Name> {
  const names = Object.keys(inks) as Name[];
  const pixels = new Uint8Array(width * height);
  const firstOf = new Map(names.map((name, index) => [name, index * LEVELS]));

  /** A pixel keeps the stronger shade of the same ink, so that the edge of a letter does not weaken its neighbour. */
  function paint(at: number, first: number, level: number): void {
    const painted = (pixels[at] ?? 0) - first;
    if (painted < level || painted > LEVELS) pixels[at] = first + level;
  }

  function outline(ink: Name, shape: Coverage, place: Place): void {
    const first = firstOf.get(ink) ?? 0;
    const left = Math.round(place.left) + shape.left;
    const top = Math.round(place.top) + shape.top;
    for (let index = 0; index < shape.levels.length; index += 1) {
      const level = Math.round((shape.levels[index] ?? 0) * LEVELS);
      const x = left + (index % shape.width);
      const y = top + Math.floor(index / shape.width);
      const isInside = x >= 0 && x < width && y >= 0 && y < height;
      if (level > 0 && isInside) paint(y * width + x, first, level);
    }
  }

  return {
    width,
    height,
    pixels,
    palette: [background, ...names.flatMap((name) => stepsTo(inks[name]))],
    outline,
    rectangle(ink, area) {
      const begin = Math.max(0, Math.round(area.left));
      const end = Math.min(width, Math.round(area.left + area.width));
      const bottom = Math.min(height, Math.round(area.top + area.height));
      for (let y = Math.max(0, Math.round(area.top)); y < bottom; y += 1) {
        pixels.fill((firstOf.get(ink) ?? 0) + LEVELS, y * width + begin, y * width + Math.max(begin, end));
      }
    },
    text(ink, text, { left, top, size }) {
      let at = left;
      for (const character of text) {
        const { advance, shape } = letterOf(character, size);
        outline(ink, shape, { left: at, top });
        at += advance;
      }
    },
  };
}

function stepsTo({ color, on }: Ink): Color[] {
  return Array.from({ length: LEVELS }, (_, index): Color => {
    const mix = (from: number, to: number): number => Math.round(from + ((to - from) * (index + 1)) / LEVELS);
    return [mix(on[0], color[0]), mix(on[1], color[1]), mix(on[2], color[2])];
  });
}
