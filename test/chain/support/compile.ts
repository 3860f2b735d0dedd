import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import solc from 'solc';

interface CompilerOutput {
  errors?: { severity: string; formattedMessage: string }[];
  contracts?: Record<string, Record<string, { evm: { deployedBytecode: { object: string } } }>>;
}

const compiled = new Map<string, string>();

/** The code of a contract beside this file as it stands on a chain, 0x-hex. */
export function contractCode(name: 'UsdCoin' | 'Multicall'): string {
  const code = compiled.get(name) ?? compile(name);
  compiled.set(name, code);
  return code;
}

function compile(name: string): string {
  const content = readFileSync(join(process.cwd(), 'test', 'chain', 'support', `${name}.sol`), 'utf8');
  const input = {
    language: 'Solidity',
    sources: { [name]: { content } },
    settings: {
      evmVersion: 'paris',
      outputSelection: { '*': { '*': ['evm.deployedBytecode.object'] } },
    },
  };
  const output = JSON.parse(solc.compile(JSON.stringify(input))) as CompilerOutput;
  const errors = (output.errors ?? []).filter(({ severity }) => severity === 'error');
  const code = output.contracts?.[name]?.[name]?.evm.deployedBytecode.object;
  if (code === undefined || errors.length > 0)
    throw new Error(errors.map(({ formattedMessage }) => formattedMessage).join('\n') || `${name}: no code`);
  return `0x${code}`;
}
