import { clientSubject } from '../../src/rate-limit/client-subject';

it.each([
  ['192.0.2.1', '192.0.2.1'],
  ['192.0.2.1:50123', '192.0.2.1'],
  ['::ffff:192.0.2.1', '192.0.2.1'],
  ['2001:db8:0:ff::1', '2001:db8::/56'],
  ['[2001:db8:0:ff::1]:50123', '2001:db8::/56'],
  ['[2001:db8:0:ff::1]', '2001:db8::/56'],
  ['::1', '::/56'],
  ['unknown', 'unknown'],
  [undefined, 'unknown'],
])('the client at %s is counted as %s, with every port', (address, subject) => {
  expect(clientSubject(address)).toBe(subject);
});
