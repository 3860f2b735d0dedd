/** Lists of what a service accepts that make no sense, or of which one field is wrong. */
import { LEFT_OUT, partsOf, spoiler, SPOILS, type Nonsense } from '../conformance/nonsense';
import { garbled } from './services';
import type { FacilitatorSuite, FacilitatorTest } from './suite';

const NO_LIST = ['{"hello":"world"}', '{"kin'];
/** The suite spoils only the first fields of a list, because further kinds in the list repeat them. */
const MOST_FIELDS = 30;

export function supportedTests({ describe, test }: FacilitatorSuite): void {
  describe('answers that cannot be understood', () => {
    test('are no list of what the facilitator accepts', 'supported', async (t) => {
      for (const body of NO_LIST) if (!(await checkNoList(t, body))) return;
      for (const spoil of [...SPOILS, LEFT_OUT]) {
        let fields = 1;
        for (let at = 0; at < Math.min(fields, MOST_FIELDS); at += 1) {
          const spoiling = spoiler(at, spoil, partsOf);
          if (!(await checkSpoilt(t, spoiling.nonsense))) return;
          fields = Math.max(fields, spoiling.fields());
        }
      }
    });
  });
}

/** If the adapter asks its service and gets nonsense, `supported` must answer `unavailable`. */
async function checkNoList(t: FacilitatorTest, body: string): Promise<boolean> {
  let wasAsked = false;
  const status = await statusWith(t, () => {
    wasAsked = true;
    return body;
  });
  if (status === null) return false;
  const label = `\`supported\`, when the service answered ${body} in place of its list`;
  t.check.oneOf(status, wasAsked ? ['unavailable'] : ['supported', 'unavailable'], label);
  return true;
}

/** `supported` is allowed too: the adapter may leave the wrong kind out, or not need the wrong field. */
async function checkSpoilt(t: FacilitatorTest, nonsense: Nonsense): Promise<boolean> {
  const status = await statusWith(t, nonsense);
  if (status !== null)
    t.check.oneOf(status, ['supported', 'unavailable'], '`supported`, when a field of the list was wrong');
  return status !== null;
}

/**
 * What `supported` answers while the services answer nonsense; `null` if they cannot. Asks a new adapter if the target
 * can make one, because the first adapter may have kept an earlier list.
 */
async function statusWith(t: FacilitatorTest, nonsense: Nonsense): Promise<string | null> {
  const { another } = t.hooks;
  const restore = await garbled(t, nonsense);
  if (restore === null) return null;
  const facilitator = another ? await t.open(another) : t.facilitator;
  const { status } = await facilitator.supported();
  await restore();
  return status;
}
