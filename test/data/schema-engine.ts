import { readdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { PrismaPg } from '@prisma/adapter-pg';
import * as wasm from '@prisma/schema-engine-wasm/schema_engine_bg';
import pg from 'pg';

/** Prisma's own engine of migrations on one database: what `prisma migrate` runs, without its download. */
export type SchemaEngine = AsyncDisposable & {
  /** The SQL that makes the tables of prisma/schema.prisma in an empty database. */
  printSchema(): Promise<string>;
  /** What `prisma migrate deploy` does; gives the names of the migrations that it applied. */
  deploy(): Promise<string[]>;
  /** What `prisma migrate status` finds: migrations that failed, were changed, or are missing on either side. */
  diagnose(): Promise<wasm.DiagnoseMigrationHistoryOutput>;
};

const FOLDER = resolve('prisma', 'migrations');
const SCHEMA = resolve('prisma', 'schema.prisma');
const require = createRequire(import.meta.url);

let loaded: Promise<void> | undefined;

/** Opens the engine. It has no documented interface, so it serves the tests only. */
export async function openSchemaEngine(url: string): Promise<SchemaEngine> {
  loaded ??= load();
  await loaded;
  const schema = { path: SCHEMA, content: await readFile(SCHEMA, 'utf8') };
  const migrationsList = await listMigrations();
  const filters = { externalTables: [], externalEnums: [] };
  // The engine leaves its lock to the end of its connection.
  const pool = new pg.Pool({ connectionString: url, connectionTimeoutMillis: 5000 });
  const engine = await wasm.SchemaEngine.new(
    { datamodels: [[schema.path, schema.content]] },
    () => {},
    bind(new PrismaPg(pool)),
  );
  return {
    async printSchema() {
      const { stdout } = await engine.diff({
        from: { tag: 'empty' },
        to: { tag: 'schemaDatamodel', files: [schema] },
        script: true,
        exitCode: null,
        filters,
      });
      return `${stdout?.trim()}\n`;
    },
    async deploy() {
      return (await engine.applyMigrations({ migrationsList, filters })).appliedMigrationNames;
    },
    diagnose() {
      return engine.diagnoseMigrationHistory({ migrationsList, optInToShadowDatabase: false, filters });
    },
    async [Symbol.asyncDispose]() {
      engine.free();
      await pool.end();
    },
  };
}

async function listMigrations(): Promise<wasm.MigrationList> {
  const entries = await readdir(FOLDER, { withFileTypes: true });
  const names = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  const migrationDirectories = names.sort().map(async (path) => {
    const value = await readFile(join(FOLDER, path, 'migration.sql'), 'utf8');
    return { path, migrationFile: { path: 'migration.sql', content: { tag: 'ok' as const, value } } };
  });
  const lock = 'migration_lock.toml';
  return {
    baseDir: FOLDER,
    lockfile: { path: lock, content: await readFile(join(FOLDER, lock), 'utf8') },
    shadowDbInitScript: '',
    migrationDirectories: await Promise.all(migrationDirectories),
  };
}

/** The wrapping that the engine wants around an adapter lives in a package that the adapter brings. */
function bind(adapter: PrismaPg): object {
  const fromAdapter = createRequire(require.resolve('@prisma/adapter-pg'));
  const utilities = fromAdapter('@prisma/driver-adapter-utils') as {
    bindMigrationAwareSqlAdapterFactory(factory: PrismaPg): object;
  };
  return utilities.bindMigrationAwareSqlAdapterFactory(adapter);
}

/** The package expects a bundler that imports WebAssembly; this is what the bundler would do. */
async function load(): Promise<void> {
  const script = require.resolve('@prisma/schema-engine-wasm/schema_engine_bg');
  const bytes = await readFile(script.replace(/\.js$/, '.wasm'));
  const imports = { './schema_engine_bg.js': wasm as unknown as WebAssembly.ModuleImports };
  const { instance } = await WebAssembly.instantiate(bytes, imports);
  wasm.__wbg_set_wasm(instance.exports);
  (instance.exports['__wbindgen_start'] as () => void)();
}
