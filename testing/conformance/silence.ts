/** The ways in which a service keeps its caller waiting. */

/**
 * `nothing`: the service takes a request and never answers. `halfBody`: it sends its headers and half of the body, and
 * then nothing. If an adapter's time limit ends when the headers arrive, the adapter waits without end for the body.
 */
export type SilentForm = 'nothing' | 'halfBody';

const WORDS: Readonly<Record<SilentForm, string>> = {
  nothing: 'no answer',
  halfBody: 'headers and half of a body',
};
export const SILENT_FORMS = Object.entries(WORDS) as [SilentForm, string][];

/**
 * A hook that makes services silent until the returned function is called. `false`: the hook cannot make this form.
 */
export type SilentHook = (form: SilentForm) => Promise<false | (() => Promise<void>)>;

/** Calls the hook. `null` if it cannot make the form. A hook without a parameter makes `nothing` only. */
export async function silenced(hook: SilentHook, form: SilentForm): Promise<(() => Promise<void>) | null> {
  if (hook.length === 0 && form !== 'nothing') return null;
  const restore = await hook(form);
  return restore === false ? null : restore;
}
