import express from 'express';
import { addressSuite, operatorsSuite } from './support/address-suite';
import { bodySuite } from './support/body-suite';
import { hostSuite } from './support/host-suite';

it('this is Express 5', () => {
  expect('del' in express()).toBe(false);
});
describe('a body', bodySuite);
describe('in a host', hostSuite);
describe('addresses', addressSuite);
describe('the operators routes', operatorsSuite);
