import { defineConfig } from 'prisma/config';

// `prisma generate` needs no schema engine, yet looks for one and would download it.
process.env['PRISMA_SCHEMA_ENGINE_BINARY'] ??= process.execPath;
// It would also tell Prisma's makers of each run, at every `npm ci`.
process.env['CHECKPOINT_DISABLE'] ??= '1';

export default defineConfig({
  schema: 'prisma/schema.prisma',
  migrations: { path: 'prisma/migrations' },
});
