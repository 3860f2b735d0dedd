import { listOf } from '../conformance/check';
import { tellsSecret } from '../conformance/secrets';
import { openStranger } from '../conformance/stranger';
import { checkRecovered } from './answers';
import { checkUndecided, known, type OracleTest } from './suite';

/** The sources redirect the oracle to a server of the suite. No request to that server may contain a secret. */
export async function redirectTest(t: OracleTest): Promise<void> {
  const { redirect, secrets } = t.made;
  if (!t.check.given('redirect', redirect, 'makes the sources answer with a redirect')) return;
  const stranger = await openStranger();
  try {
    await known(t, 'YES');
    const restore = await redirect(stranger.address);
    checkUndecided(
      t,
      await t.ask(),
      'knows',
      'sources that redirect to another server, or the hook does nothing',
    );
    await restore();
    if (stranger.got().some((request) => tellsSecret(request, listOf(secrets))))
      t.check
        .by('redirect')
        .fail("a secret in the request to the address of a redirect: with `fetch`, pass `redirect: 'error'`");
    await checkRecovered(t, 'after a redirect');
  } finally {
    await stranger.close();
  }
}
