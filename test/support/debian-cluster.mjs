import { execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';

const START_ATTEMPTS = 300;

/** Postgres refuses to run as root, so root runs Postgres as the user of the Debian package. */
function owner() {
  if (process.getuid?.() !== 0) return {};
  const id = (flag) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }));
  return { uid: id('-u'), gid: id('-g') };
}

export class DebianCluster {
  constructor({ programs, databaseDir, port, postgresFlags }) {
    Object.assign(this, { programs, databaseDir, port, postgresFlags, owner: owner() });
  }

  async initialise() {
    const { uid, gid } = this.owner;
    if (uid !== undefined) chownSync(this.databaseDir, uid, gid);
    const flags = ['--username=postgres', '--auth=trust', '--encoding=UTF8', '--locale=C.UTF-8', '--no-sync'];
    const options = { ...this.owner, cwd: this.databaseDir };
    await promisify(execFile)(join(this.programs, 'initdb'), ['-D', this.databaseDir, ...flags], options);
  }

  async start() {
    const flags = ['-D', this.databaseDir, '-p', String(this.port), '-h', '127.0.0.1', '-k', ''];
    this.process = spawn(join(this.programs, 'postgres'), [...flags, ...this.postgresFlags], {
      ...this.owner,
      cwd: this.databaseDir,
      stdio: 'ignore',
    });
    for (let attempt = 1; !(await this.listens()); attempt += 1) {
      if (attempt === START_ATTEMPTS || this.process.exitCode !== null)
        throw new Error('Postgres of the distribution does not start');
      await pause(50);
    }
  }

  async listens() {
    const socket = connect(this.port, '127.0.0.1');
    const opened = await once(socket, 'connect').then(
      () => true,
      () => false,
    );
    socket.destroy();
    return opened;
  }

  async stop() {
    const ended = once(this.process, 'exit');
    this.process.kill('SIGINT');
    await ended;
    this.process = undefined;
  }
}
