/**
 * Fills an outline smoothly. An outline is a text of commands, each a letter and numbers: `M` begins a part at a
 * point, `L` draws a line to a point, and `Q` draws a curve by its control point to a point. Each part closes by itself.
 */

/**
 * How much of each pixel the outline covers, from 0 to 1. `left` and `top` are relative to the origin of the
 * outline.
 */
export interface Coverage {
  left: number;
  top: number;
  width: number;
  height: number;
  levels: Float32Array;
}

interface Point {
  x: number;
  y: number;
}
type Line = readonly [from: Point, to: Point];

/** Enough that a curve of a large letter looks round. */
const LINES_OF_A_CURVE = 6;

export function fillOutline(outline: string, scale: number): Coverage {
  const lines = linesOf(outline, scale);
  const xs = lines.flatMap((line) => line.map(({ x }) => x));
  const ys = lines.flatMap((line) => line.map(({ y }) => y));
  if (lines.length === 0) return { left: 0, top: 0, width: 0, height: 0, levels: new Float32Array() };
  const left = Math.floor(Math.min(...xs));
  const top = Math.floor(Math.min(...ys));
  const width = Math.ceil(Math.max(...xs)) - left + 2;
  const height = Math.ceil(Math.max(...ys)) - top + 1;
  const edges = new Float32Array(width * height);
  for (const [from, to] of lines) {
    addEdge(edges, width, { x: from.x - left, y: from.y - top }, { x: to.x - left, y: to.y - top });
  }
  return { left, top, width, height, levels: summed(edges, width) };
}

function linesOf(outline: string, scale: number): Line[] {
  const lines: Line[] = [];
  let start: Point = { x: 0, y: 0 };
  let at = start;
  const lineTo = (to: Point): void => {
    if (to.y !== at.y) lines.push([at, to]);
    at = to;
  };
  for (const command of outline.match(/[MLQ][^MLQ]*/g) ?? []) {
    const numbers = command
      .slice(1)
      .split(' ')
      .map((number) => Number(number) * scale);
    const to = { x: numbers.at(-2) ?? 0, y: numbers.at(-1) ?? 0 };
    if (command.startsWith('Q')) {
      const pull = { x: numbers[0] ?? 0, y: numbers[1] ?? 0 };
      for (const point of curve(at, pull, to)) lineTo(point);
    } else if (command.startsWith('M')) {
      lineTo(start);
      start = to;
      at = to;
    } else {
      lineTo(to);
    }
  }
  lineTo(start);
  return lines;
}

function curve(from: Point, pull: Point, to: Point): Point[] {
  return Array.from({ length: LINES_OF_A_CURVE }, (_, index) => {
    const t = (index + 1) / LINES_OF_A_CURVE;
    const at = (axis: 'x' | 'y'): number =>
      (1 - t) ** 2 * from[axis] + 2 * t * (1 - t) * pull[axis] + t ** 2 * to[axis];
    return { x: at('x'), y: at('y') };
  });
}

/**
 * Adds the changes that a line makes in each row, at the pixels that it crosses. The running sum of a row from the left
 * is then how much of each pixel is inside the outline.
 */
function addEdge(edges: Float32Array, width: number, from: Point, to: Point): void {
  const [upper, lower] = from.y < to.y ? [from, to] : [to, from];
  const direction = from.y < to.y ? 1 : -1;
  const slope = (lower.x - upper.x) / (lower.y - upper.y);
  for (let row = Math.floor(upper.y); row < lower.y; row += 1) {
    const begin = Math.max(row, upper.y);
    const end = Math.min(row + 1, lower.y);
    const height = (end - begin) * direction;
    if (height === 0) continue;
    const a = upper.x + (begin - upper.y) * slope;
    const b = upper.x + (end - upper.y) * slope;
    addCrossing(edges, row * width, Math.min(a, b), Math.max(a, b), height);
  }
}

/**
 * Adds the changes that a line makes in one row, which it crosses from `left` to `right`. The change at a pixel is how
 * much more of this pixel than of the pixel before is to the right of the line.
 */
function addCrossing(edges: Float32Array, row: number, left: number, right: number, height: number): void {
  let before = 0;
  for (let x = Math.floor(left); before < 1; x += 1) {
    const after = x >= right ? 1 : partBehind(x + 1 - left, x + 1 - right);
    edges[row + x] = (edges[row + x] ?? 0) + (after - before) * height;
    before = after;
  }
}

/**
 * How much of a pixel is to the right of a line, on average. `far` and `near` are the distances of the ends of the line
 * from the right edge of the pixel, to the left.
 */
function partBehind(far: number, near: number): number {
  if (far - near < 1e-6) return Math.min(1, Math.max(0, far));
  return (areaUpTo(far) - areaUpTo(near)) / (far - near);
}

/** The area up to `distance` below a line that rises from 0 to 1 and then stays at 1. */
function areaUpTo(distance: number): number {
  if (distance <= 0) return 0;
  return distance < 1 ? distance ** 2 / 2 : distance - 0.5;
}

function summed(edges: Float32Array, width: number): Float32Array {
  const levels = new Float32Array(edges.length);
  let inside = 0;
  for (const [index, change] of edges.entries()) {
    inside = index % width === 0 ? change : inside + change;
    // Overlapping parts count once.
    levels[index] = Math.min(1, Math.abs(inside));
  }
  return levels;
}
