/**
 * The app without the market: people log in, and a cookie carries their session. No code in this file uses
 * the market.
 */
import { randomBytes, scryptSync, timingSafeEqual } from 'node:crypto';
import express, { type Request, type RequestHandler, type Router } from 'express';

export interface User {
  name: string;
  role: 'customer' | 'operator';
  /** An EVM address that the app has given to the user. The market knows the user by this address. */
  wallet: string;
}

export interface Account extends User {
  password: string;
}

export interface Shop {
  /** POST /login and POST /logout. */
  routes: Router;
  /** The user of the session; `null` without a session. */
  userOf(request: Request): User | null;
  /** Makes a middleware that lets only users of this role pass. */
  allow(role: User['role']): RequestHandler;
}

export function createShop(accounts: readonly Account[]): Shop {
  const users = new Map(
    accounts.map(({ password, ...user }) => [user.name, { user, check: checker(password) }]),
  );
  const sessions = new Map<string, User>();

  const routes = express.Router();
  routes.post('/login', express.json(), (request, response) => {
    const { name, password } = (request.body ?? {}) as { name?: unknown; password?: unknown };
    const known = users.get(String(name));
    if (known === undefined || !known.check(String(password))) {
      response.status(401).json({ error: 'Wrong name or password.' });
      return;
    }
    const session = randomBytes(24).toString('base64url');
    sessions.set(session, known.user);
    // `strict` keeps the cookie out of requests that other sites send. That also protects the operators' routes.
    response.cookie('session', session, { httpOnly: true, sameSite: 'strict' }).json(known.user);
  });
  routes.post('/logout', (request, response) => {
    sessions.delete(sessionOf(request));
    response.clearCookie('session').sendStatus(204);
  });

  const userOf = (request: Request): User | null => sessions.get(sessionOf(request)) ?? null;
  return {
    routes,
    userOf,
    allow: (role) => (request, response, next) => {
      const user = userOf(request);
      if (user === null) response.status(401).json({ error: 'Log in first.' });
      else if (user.role !== role) response.status(403).json({ error: `Only for ${role}s.` });
      else next();
    },
  };
}

function sessionOf(request: Request): string {
  return /(?:^|; )session=([\w-]+)/.exec(request.get('cookie') ?? '')?.[1] ?? '';
}

/** Makes the function that checks a password. The function keeps a hash of the password, not the password. */
function checker(password: string): (tried: string) => boolean {
  const salt = randomBytes(16);
  const hash = scryptSync(password, salt, 32);
  return (tried) => timingSafeEqual(scryptSync(tried, salt, 32), hash);
}
