import '../../examples/testing-supertest/app.test';
import '../../examples/testing-vitest/app.test';
