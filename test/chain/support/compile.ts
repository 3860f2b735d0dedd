import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type solc from 'solc';
import { madeOnce } from '../../support/run-folder';

interface CompilerOutput {
  errors?: { severity: string; formattedMessage: string }[];
  contracts?: Record<string, Record<string, { evm: { deployedBytecode: { object: string } } }>>;
}

export function contractCode(name: 'UsdCoin' | 'Multicall'): string {
  const file = madeOnce(`${name}.hex`, (path) => writeFileSync(path, compile(name)));
  return file === null ? compile(name) : readFileSync(file, 'utf8');
}

function compile(name: string): string {
  // Loaded on demand, because the compiler takes long to load.
  const { compile: compileJson } = createRequire(join(process.cwd(), 'package.json'))('solc') as typeof solc;
  const content = readFileSync(join(process.cwd(), 'test', 'chain', 'support', `${name}.sol`), 'utf8');
  const input = {
    language: 'Solidity',
    sources: { [name]: { content } },
    settings: {
      evmVersion: 'paris',
      outputSelection: { '*': { '*': ['evm.deployedBytecode.object'] } },
    },
  };
  const output = JSON.parse(compileJson(JSON.stringify(input))) as CompilerOutput;
  const errors = (output.errors ?? []).filter(({ severity }) => severity === 'error');
  const code = output.contracts?.[name]?.[name]?.evm.deployedBytecode.object;
  if (code === undefined || errors.length > 0)
    throw new Error(errors.map(({ formattedMessage }) => formattedMessage).join('\n') || `${name}: no code`);
  return `0x${code}`;
}
