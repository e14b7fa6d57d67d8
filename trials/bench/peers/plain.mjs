import { createServer } from 'node:http';
import SchemaBuilder from '@pothos/core';
import PrismaPlugin from '@pothos/plugin-prisma';
import RelayPlugin from '@pothos/plugin-relay';
import { PrismaPg } from '@prisma/adapter-pg';
import express from 'express';
import { createHandler } from 'graphql-http/lib/use/express';
import { getDatamodel } from '../../../dist/data/generated/pothos-types.js';
import { PrismaClient } from '../../../dist/data/generated/prisma/client.js';
import { accountTypes, depositStatuses } from '../../../dist/domain/enumerations.js';
import { listen } from './listen.mjs';

/*
 * Plain express, graphql, Pothos and Prisma, each as its documentation shows: prismaConnection and t.relation with the
 * resolvers that they come with. The data model is Periscope's own, so that the tables are the same.
 */

const adapter = new PrismaPg({ connectionString: process.env.DATABASE_URL, max: 10 });
const prisma = new PrismaClient({ adapter });
const builder = new SchemaBuilder({
  plugins: [RelayPlugin, PrismaPlugin],
  prisma: { client: prisma, dmmf: getDatamodel() },
  relay: {},
});

const newestFirst = { orderBy: { createdPosition: 'desc' } };
const text = (field) => (row) => row[field].toString();

const Party = builder.prismaObject('Party', {
  fields: (t) => ({
    id: t.exposeID('id'),
    accounts: t.relatedConnection('accounts', { cursor: 'createdPosition', query: newestFirst }),
  }),
});
builder.prismaObject('Asset', {
  fields: (t) => ({
    id: t.exposeID('id'),
    name: t.exposeString('name'),
    symbol: t.exposeString('symbol'),
    decimals: t.exposeInt('decimals'),
  }),
});
builder.prismaObject('Account', {
  fields: (t) => ({
    owner: t.exposeID('owner'),
    balance: t.exposeString('balance'),
    asset: t.exposeID('assetId'),
    marketId: t.exposeID('marketId'),
    type: t.string({ resolve: ({ type }) => accountTypes.nameOf(type) }),
  }),
});
const Deposit = builder.prismaObject('Deposit', {
  fields: (t) => ({
    id: t.exposeID('id'),
    status: t.string({ resolve: ({ status }) => depositStatuses.nameOf(status) }),
    partyId: t.exposeID('partyId'),
    asset: t.exposeID('assetId'),
    amount: t.exposeString('amount'),
    txHash: t.exposeString('txHash'),
    creditedTimestamp: t.string({ resolve: text('creditedTimestamp') }),
    createdTimestamp: t.string({ resolve: text('createdTimestamp') }),
    party: t.relation('party', { nullable: true, type: Party }),
    assetNode: t.relation('asset', { nullable: true }),
  }),
});
builder.queryType({
  fields: (t) => ({
    deposit: t.prismaField({
      type: Deposit,
      nullable: true,
      args: { id: t.arg.id({ required: true }) },
      resolve: (query, _root, { id }) => prisma.deposit.findUnique({ ...query, where: { id } }),
    }),
    deposits: t.prismaConnection({
      type: Deposit,
      cursor: 'createdPosition',
      maxSize: 5000,
      args: { partyId: t.arg.id() },
      totalCount: (_connection, { partyId }) => prisma.deposit.count({ where: wherePartyIs(partyId) }),
      resolve: (query, _root, { partyId }) =>
        prisma.deposit.findMany({ ...query, ...newestFirst, where: wherePartyIs(partyId) }),
    }),
  }),
});

function wherePartyIs(partyId) {
  return partyId ? { partyId } : {};
}

const app = express();
app.all('/graphql', createHandler({ schema: builder.toSchema(), context: () => ({}) }));
await listen(createServer(app));
