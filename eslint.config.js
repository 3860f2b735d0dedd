import js from '@eslint/js';
import tseslint from 'typescript-eslint';

export default tseslint.config(
  {
    ignores: [
      'dist/',
      'built-docs/',
      'built-server/',
      'node_modules/',
      'coverage/',
      'data/',
      '.tmp/',
      'cli/templates/',
      'site/assets.generated.ts',
      'site/picture/glyphs.generated.ts',
      'src/client/api.generated.ts',
      'src/client/live/messages.generated.ts',
      'src/http/openapi/examples.generated.ts',
    ],
  },
  js.configs.recommended,
  {
    files: ['**/*.ts'],
    extends: [tseslint.configs.recommendedTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
      '@typescript-eslint/no-import-type-side-effects': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: true },
      ],
      // This rule also reports assertions that give a type to a library's `any`.
      '@typescript-eslint/no-unnecessary-type-assertion': 'off',
      '@typescript-eslint/prefer-nullish-coalescing': ['error', { ignorePrimitives: { string: true } }],
      '@typescript-eslint/only-throw-error': 'error',
      // A caught error has the type `unknown`. Code may reject with it unchanged.
      '@typescript-eslint/prefer-promise-reject-errors': ['error', { allowThrowingUnknown: true }],
      // Most of our objects are made by factories. Their methods are closures, which do not use `this`.
      '@typescript-eslint/unbound-method': 'off',
      // `Promise<unknown> | unknown` tells readers that a promise is allowed.
      '@typescript-eslint/no-redundant-type-constituents': 'off',
      // Some adapters and fakes implement an asynchronous port without waiting for anything.
      '@typescript-eslint/require-await': 'off',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      eqeqeq: 'error',
      'no-console': 'error',
    },
  },
  {
    // Joi's own types use `any` in many places.
    files: ['src/schemas/**/*.ts'],
    rules: {
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-unsafe-call': 'off',
      '@typescript-eslint/no-unsafe-return': 'off',
    },
  },
  {
    files: ['examples/**/*.ts', 'bench/**/*.ts'],
    rules: { 'no-console': 'off', '@typescript-eslint/no-base-to-string': 'off' },
  },
  {
    files: ['test/**/*.ts'],
    rules: {
      // Bodies of HTTP answers are `any` in supertest's types.
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-unsafe-call': 'off',
      '@typescript-eslint/no-unsafe-return': 'off',
      'no-console': 'off',
    },
  },
  {
    files: ['**/*.{js,mjs,cjs}'],
    languageOptions: {
      globals: Object.fromEntries(
        ['process', 'console', 'module', 'require', 'URL', 'Buffer', 'setTimeout', '__dirname'].map(
          (name) => [name, 'readonly'],
        ),
      ),
    },
  },
);
