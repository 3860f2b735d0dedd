/**
 * What a silent service sends before it stays silent: nothing, or its headers and half of the body. An adapter whose
 * time limit ends with the headers waits for the other half for ever.
 */
export type Silence = 'nothing' | 'halfBody';

/** Whether the hook can stop in the middle of a body. A hook without a parameter sends nothing at all. */
export const stopsHalfway = (hook: (form: Silence) => unknown): boolean => hook.length > 0;
