/** Rate limits that fail when their server does. */
import { windows } from './rate-limits';

/** Takes an answer without `allowed: false`, such as an error page, for a permission. */
export const letsInAtAnError = windows(({ hit }, _length, world) => ({
  hit: (subject, limit, now) =>
    world.fails === 'status' ? { allowed: true, remaining: limit, resetAt: now } : hit(subject, limit, now),
}));
/** Catches only time-outs of its server. */
export const rejectsWhenRefused = windows(({ hit }, _length, world) => ({
  async hit(subject, limit, now) {
    if (world.fails === 'refused') throw new Error('connect ECONNREFUSED');
    return hit(subject, limit, now);
  },
}));
/** While the server is away, refused requests count. */
export const countsRefusalsWhenItIsAway = windows(({ hit }, _length, world) => ({
  async hit(subject, limit, now) {
    const decision = await hit(subject, limit, now);
    if (world.isCut && !decision.allowed) await hit(subject, Infinity, now);
    return decision;
  },
}));
