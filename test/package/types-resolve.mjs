// Prints the problems of a tarball's types, and fails if the types have problems. Jest does not load the checker, which
// is published as ES modules only, so the test runs this file as a process.
import { readFile } from 'node:fs/promises';
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';

/** The resolution of TypeScript before 4.7, which does not know `exports` of package.json. */
const TOO_OLD = 'node10';

const tarball = await readFile(process.argv[2]);
const { types, problems = [] } = await checkPackage(createPackageFromTarballData(new Uint8Array(tarball)));
if (types === false) throw new Error('The package has no types');
const found = problems.filter(({ resolutionKind }) => resolutionKind !== TOO_OLD);
for (const problem of found) process.stdout.write(`${JSON.stringify(problem)}\n`);
process.exitCode = found.length === 0 ? 0 : 1;
