import { createServer } from 'node:http';
import express from 'express';
import request from 'supertest';
import { API, OPS, startService, type Service } from './support/service';

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

const answerTo = async (headers: Record<string, string>, path = `${API}/ws`) => {
  const { status, body } = await service.call('get', path, { headers });
  return { status, ...(body as { code: string; message: string }) };
};

it('a GET without an upgrade is told that the address is for WebSocket clients, and what a proxy must do', async () => {
  const answer = await answerTo({});
  expect(answer).toMatchObject({ status: 404, code: 'NOT_FOUND' });
  expect(answer.message).toContain('WebSocket');
  expect(answer.message).toContain('headers Upgrade and Connection');
});

it('an upgrade where the host attached no socket is told so', async () => {
  const server = createServer(express().use(service.pm.router));
  const answer = await request(server)
    .get(`${API}/ws`)
    .set({ Connection: 'Upgrade', Upgrade: 'websocket', 'Sec-WebSocket-Version': '13' });
  expect(answer.status).toBe(404);
  expect(answer.body).toMatchObject({
    code: 'NOT_FOUND',
    message: 'No WebSocket is attached at this address',
  });
});

it('other methods and other addresses are answered as before', async () => {
  const nothing = { status: 404, code: 'NOT_FOUND', message: 'There is nothing at this address' };
  expect(await answerTo({}, `${API}/wss`)).toMatchObject(nothing);
  expect(await answerTo({}, `${OPS}/ws`)).toMatchObject(nothing);
  expect((await service.call('post', `${API}/ws`)).body).toMatchObject({ message: nothing.message });
});
