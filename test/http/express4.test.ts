import express from 'express';
import { addressSuite, operatorsSuite } from './support/address-suite';
import { bodySuite } from './support/body-suite';
import { hostSuite } from './support/host-suite';
import { streamSuite } from './support/stream-suite';

// The library imports `express`, which is Express 4 in this test.
jest.mock('express', () => jest.requireActual<object>('express4'));

it('the suites below run on Express 4', () => {
  expect('del' in express()).toBe(true);
});
describe('a body', bodySuite);
describe('the router in a host', hostSuite);
describe('addresses', addressSuite);
describe("the operators' routes", operatorsSuite);
describe('a stream', streamSuite);
