import express from 'express';
import { addressSuite, operatorsSuite } from './support/address-suite';
import { bodySuite } from './support/body-suite';
import { hostSuite } from './support/host-suite';
import { streamSuite } from './support/stream-suite';

it('the suites below run on Express 5', () => {
  expect('del' in express()).toBe(false);
});
describe('a body', bodySuite);
describe('the router in a host', hostSuite);
describe('addresses', addressSuite);
describe("the operators' routes", operatorsSuite);
describe('a stream', streamSuite);
