import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** A proxy between your driver and its database server. `isCommit` says whether the driver has sent a commit. */
export async function databaseProxy(host: string, port: number, isCommit: (sent: Buffer) => boolean) {
  const sockets = new Set<Socket>();
  let losesNext = false;
  const server = createServer((driver) => {
    const database = connect(port, host);
    let isLosing = false;
    const end = (): void => {
      driver.destroy();
      database.destroy();
    };
    for (const socket of [driver, database]) sockets.add(socket.on('error', end).on('close', end));
    driver.on('data', (sent) => {
      if (losesNext && isCommit(Buffer.from(sent))) {
        losesNext = false;
        isLosing = true;
      }
      database.write(sent);
    });
    // When the answer comes, the database has committed. The proxy drops the answer and cuts the connection.
    database.on('data', (answer) => (isLosing ? end() : driver.write(answer)));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port, // what the storage under test connects to
    loseCommit: async () => void (losesNext = true),
    async cutOff() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}
