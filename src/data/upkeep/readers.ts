import pg from 'pg';
import { GatewayError } from '../../errors.ts';
import { takeMaintenanceLock, withMaintenanceClient } from './maintenance.ts';

const INSUFFICIENT_PRIVILEGE = '42501';
/** PostgreSQL cuts longer names, and so would mean another role. */
const MOST_NAME_BYTES = 63;

/**
 * Lets a role read the tables at `url`, those that later migrations make too, and says whether it made the role: which
 * may then log in, without a password. Changes nothing where nothing is lacking. Throws FAILED_PRECONDITION, and has
 * changed nothing, where the role may do more than read.
 */
export async function grantReader(url: string, role: string): Promise<boolean> {
  const complaint = refusalOfName(role);
  if (complaint !== null) throw refusal(complaint);
  return withMaintenanceClient(url, async (client) => {
    await takeMaintenanceLock(client);
    await client.query('BEGIN');
    const made = await makeRole(client, role);
    const { rows } = await client.query<{ grant: string }>(LACKING, [role]);
    for (const { grant } of rows) await client.query(grant);
    const excess = await readExcess(client, role);
    if (excess.length > 0) {
      throw refusal(
        `The role ${role} would serve, but may do more than read (${excess.join(', ')}): take that from it, or name another.`,
      );
    }
    await client.query('COMMIT');
    return made;
  });
}

/** Why no role can have a name, for a person; null where one can. */
export function refusalOfName(role: string): string | null {
  const bytes = Buffer.byteLength(role);
  if (bytes > 0 && bytes <= MOST_NAME_BYTES) return null;
  return `The name of a role has 1 to ${MOST_NAME_BYTES} bytes: ${JSON.stringify(role)} has not.`;
}

/** What the role that an address logs in as may do to the gateway's tables or its server beyond reading. */
export function readExcessAt(url: string): Promise<readonly string[]> {
  return withMaintenanceClient(url, async (client) => {
    const { rows } = await client.query<{ role: string }>('SELECT current_user AS role');
    return readExcess(client, rows[0]?.role ?? '');
  });
}

async function readExcess(client: pg.Client, role: string): Promise<readonly string[]> {
  const { rows } = await client.query<{ right: string }>(EXCESS, [role]);
  return rows.map(({ right }) => right);
}

async function makeRole(client: pg.Client, role: string): Promise<boolean> {
  const { rowCount } = await client.query('SELECT FROM pg_roles WHERE rolname = $1', [role]);
  if (rowCount !== 0) return false;
  const create = `CREATE ROLE ${pg.escapeIdentifier(role)} LOGIN`;
  try {
    await client.query(create);
    return true;
  } catch (error) {
    const { code, message } = error as pg.DatabaseError;
    const advice = code === INSUFFICIENT_PRIVILEGE ? ` Let one who may run ${create}; then try again.` : '';
    throw refusal(`The role ${role} cannot be made: ${message}.${advice}`);
  }
}

function refusal(message: string): GatewayError {
  return new GatewayError('FAILED_PRECONDITION', message);
}

/** Ours are the tables and views of whoever migrates, in the schema that holds the list of migrations. */
const OURS = `
  ours AS (
    SELECT c.oid, c.relowner AS owner, c.relnamespace AS namespace, n.nspname AS schema, n.nspacl AS acl
    FROM pg_class AS list
    JOIN pg_class AS c ON c.relnamespace = list.relnamespace AND c.relowner = list.relowner AND c.relkind IN ('r', 'p', 'v')
    JOIN pg_namespace AS n ON n.oid = c.relnamespace
    WHERE list.oid = to_regclass('_prisma_migrations')
  ),
  place AS (SELECT DISTINCT owner, namespace, schema, acl FROM ours)`;

/**
 * The grants that a role lacks. What everybody may do (PUBLIC) is granted by name too, where we may: it is often taken
 * from everybody later.
 */
const LACKING = `
  WITH ${OURS},
  reader AS (SELECT oid, rolname AS name FROM pg_roles WHERE rolname = $1),
  base AS (SELECT oid, datname AS name, datacl AS acl FROM pg_database WHERE datname = current_database())
  SELECT format('GRANT CONNECT ON DATABASE %I TO %I', base.name, reader.name) AS grant FROM base, reader
  WHERE NOT EXISTS (SELECT FROM aclexplode(base.acl) WHERE grantee = reader.oid AND privilege_type = 'CONNECT')
    AND (has_database_privilege(base.oid, 'CONNECT WITH GRANT OPTION')
      OR NOT has_database_privilege(reader.oid, base.oid, 'CONNECT'))
  UNION ALL
  SELECT format('GRANT USAGE ON SCHEMA %I TO %I', place.schema, reader.name) FROM place, reader
  WHERE NOT EXISTS (SELECT FROM aclexplode(place.acl) WHERE grantee = reader.oid AND privilege_type = 'USAGE')
    AND (has_schema_privilege(place.namespace, 'USAGE WITH GRANT OPTION')
      OR NOT has_schema_privilege(reader.oid, place.namespace, 'USAGE'))
  UNION ALL
  SELECT format('GRANT SELECT ON TABLE %s TO %I', ours.oid::regclass, reader.name) FROM ours, reader
  WHERE NOT has_table_privilege(reader.oid, ours.oid, 'SELECT')
  UNION ALL
  SELECT format('ALTER DEFAULT PRIVILEGES FOR ROLE %I IN SCHEMA %I GRANT SELECT ON TABLES TO %I',
    pg_get_userbyid(place.owner), place.schema, reader.name)
  FROM place, reader
  WHERE NOT EXISTS (
    SELECT FROM pg_default_acl, aclexplode(defaclacl)
    WHERE defaclrole = place.owner AND defaclnamespace = place.namespace AND defaclobjtype = 'r'
      AND grantee = reader.oid AND privilege_type = 'SELECT'
  )`;

/** What a role may do beyond reading, by itself or as a role that it is a member of. */
const EXCESS = `
  WITH ${OURS},
  acting AS (
    SELECT oid, rolname AS name, rolsuper AS super, rolcreaterole, rolcreatedb, rolreplication
    FROM pg_roles WHERE pg_has_role($1::name, oid, 'MEMBER')
  ),
  rights AS (
    SELECT 1 AS rank, 'it is a superuser' AS right FROM acting WHERE super
    UNION SELECT 2, 'it may make roles' FROM acting WHERE rolcreaterole
    UNION SELECT 3, 'it may make databases' FROM acting WHERE rolcreatedb
    UNION SELECT 4, 'it may replicate' FROM acting WHERE rolreplication
    UNION SELECT 5, 'it is a member of ' || name FROM acting
      WHERE name IN ('pg_execute_server_program', 'pg_write_server_files', 'pg_read_server_files', 'pg_write_all_data')
    UNION SELECT 6, 'it may change tables' FROM acting, ours
      WHERE has_table_privilege(acting.oid, ours.oid, 'INSERT, UPDATE, DELETE, TRUNCATE, REFERENCES, TRIGGER')
    UNION SELECT 7, 'it may make tables in the schema ' || schema FROM acting, place
      WHERE has_schema_privilege(acting.oid, namespace, 'CREATE')
    UNION SELECT 8, 'it may make schemas' FROM acting
      WHERE has_database_privilege(acting.oid, current_database(), 'CREATE')
  )
  SELECT "right" FROM rights WHERE rank = 1 OR NOT EXISTS (SELECT FROM rights WHERE rank = 1) ORDER BY rank`;
