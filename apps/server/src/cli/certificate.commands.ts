import fs from 'node:fs'
import os from 'node:os'
import {
  certificateNames,
  SELF_SIGNED_DAYS,
  SELF_SIGNED_DAYS_MAX,
  type AcmeView,
  type CertificateView,
} from '@godwit/contract'
import {
  certificatesStore,
  hostOf,
  presentCertificate,
  putCertificate,
  putSelfSigned,
  removeCertificate,
} from '../foundation/certificates/index.ts'
import { viewAcme, wantOrder } from '../foundation/acme/index.ts'
import { createSettings } from '../foundation/settings/index.ts'
import { openVault } from '../kernel/crypto/index.ts'
import type { Database } from '../kernel/db/index.ts'
import { timeOrderedIds } from '../kernel/ids.ts'
import { misused, missing, textOf } from './arguments.ts'
import type { Command, Invocation } from './command.types.ts'
import { EXIT } from './exit-codes.ts'
import { withDatabase, withNewDatabase } from './installation.ts'

const IN_FORCE = 'Servers that run use it within two seconds.'

const set: Command = {
  name: 'certificate set',
  summary: 'Put a certificate and its private key in force; a server that runs uses them within two seconds',
  positionals: [],
  options: {
    'certificate-file': { type: 'string', summary: 'PEM file with the whole chain', value: 'FILE', required: true },
    'key-file': { type: 'string', summary: 'PEM file with the private key', value: 'FILE', required: true },
  },
  examples: ['godwit certificate set --certificate-file ./fullchain.pem --key-file ./privkey.pem'],
  run: async (call) => {
    const certificate = fs.readFileSync(textOf(call, 'certificate-file') ?? '', 'utf8')
    const key = fs.readFileSync(textOf(call, 'key-file') ?? '', 'utf8')
    return withNewDatabase(call, async (database) => {
      const row = await putCertificate(depsOf(call, database), { certificate, key, source: 'uploaded', by: '' })
      const shown = viewOf(call, row)
      call.show(shown, `${textOfView(shown)}\n${IN_FORCE}`)
      return EXIT.ok
    })
  },
}

const show: Command = {
  name: 'certificate show',
  summary: 'Show the certificate in force: names, issuer, days left, fingerprint',
  positionals: [],
  options: {},
  examples: ['godwit certificate show', 'godwit certificate show --json'],
  run: async (call) =>
    withDatabase(call, async ({ db }) => {
      const row = await certificatesStore.current(db)
      if (row === undefined) return missing(call, 'There is no certificate: godwit certificate set.')
      const shown = viewOf(call, row)
      call.show(shown, textOfView(shown))
      return EXIT.ok
    }),
}

const order: Command = {
  name: 'certificate order',
  summary: 'Let the server that runs order a certificate by ACME now; the settings acme.* say which and where',
  positionals: [],
  options: {},
  examples: [
    'godwit settings set acme.domains files.example.org',
    'godwit settings set acme.terms on',
    'godwit settings set acme.switch on',
    'godwit certificate order',
  ],
  run: async (call) =>
    withDatabase(call, async (database) => {
      const deps = acmeDepsOf(call, database)
      await wantOrder(deps)
      const shown = await viewAcme(deps)
      call.show(shown, `${textOfOrders(shown)}\nA server that runs begins within seconds: godwit certificate orders.`)
      return EXIT.ok
    }),
}

const orders: Command = {
  name: 'certificate orders',
  summary: 'Show how the orders by ACME stand: the last one, why it failed, when the next one is due',
  positionals: [],
  options: {},
  examples: ['godwit certificate orders', 'godwit certificate orders --json'],
  run: async (call) =>
    withDatabase(call, async (database) => {
      const shown = await viewAcme(acmeDepsOf(call, database))
      call.show(shown, textOfOrders(shown))
      return EXIT.ok
    }),
}

const selfSigned: Command = {
  name: 'certificate self-signed',
  summary: 'Make a certificate that no authority signed and put it in force; browsers warn of it',
  positionals: [],
  options: {
    names: {
      type: 'string',
      summary: 'Host names and addresses, comma separated (default: of this host)',
      value: 'A,B',
    },
    days: { type: 'string', summary: `Days it is valid (default: ${SELF_SIGNED_DAYS})`, value: 'DAYS' },
  },
  examples: ['godwit certificate self-signed --names files.example.org,192.0.2.7'],
  run: async (call) => {
    const given = textOf(call, 'names')?.split(',') ?? [
      hostOf(call.loaded.config.publicUrl) || os.hostname(),
      'localhost',
    ]
    const names = certificateNames.safeParse(given)
    if (!names.success) return misused(call, `names: ${names.error.issues[0]?.message ?? ''}`)
    const days = Number(textOf(call, 'days') ?? SELF_SIGNED_DAYS)
    if (!Number.isInteger(days) || days < 1 || days > SELF_SIGNED_DAYS_MAX)
      return misused(call, `days must be a number from 1 to ${SELF_SIGNED_DAYS_MAX}`)
    return withNewDatabase(call, async (database) => {
      const row = await putSelfSigned(depsOf(call, database), { names: names.data, days, by: '' })
      const shown = viewOf(call, row)
      call.show(shown, `${textOfView(shown)}\n${IN_FORCE}`)
      return EXIT.ok
    })
  },
}

const remove: Command = {
  name: 'certificate remove',
  summary: 'Take the certificate out of force and forget its key; HTTPS then refuses every connection',
  positionals: [],
  options: {},
  examples: ['godwit certificate remove'],
  run: async (call) =>
    withDatabase(call, async (database) => {
      const row = await removeCertificate(database)
      if (row === undefined) return missing(call, 'There is no certificate.')
      call.show({ removed: row.id }, `The certificate of ${viewOf(call, row).names.join(', ')} is out of force.`)
      return EXIT.ok
    }),
}

export const CERTIFICATE_COMMANDS: readonly Command[] = [set, show, order, orders, selfSigned, remove]

function depsOf({ io, loaded }: Invocation, { db }: Database) {
  const { clock, random } = io
  return { db, clock, random, ids: timeOrderedIds(clock, random), vault: openVault(loaded.config.data, random) }
}

function acmeDepsOf({ io: { clock } }: Invocation, { db }: Database) {
  const log = { warn: () => undefined }
  return { db, clock, settings: createSettings({ db, clock, log }) }
}

function viewOf(call: Invocation, row: Parameters<typeof presentCertificate>[0]): CertificateView {
  const siteHost = hostOf(call.loaded.config.publicUrl)
  return presentCertificate(row, { now: call.io.clock.now(), siteHost })
}

function textOfView(view: CertificateView): string {
  const facts = {
    names: view.names.join(', '),
    issuer: view.issuer,
    source: view.source,
    until: `${new Date(view.notAfter).toISOString().slice(0, 10)} (${view.daysLeft} days)`,
    fingerprint: view.fingerprint,
    ...(view.warnings.length > 0 ? { warnings: view.warnings.join(', ') } : {}),
  }
  return lines(facts)
}

function lines(facts: Readonly<Record<string, string>>): string {
  return Object.entries(facts)
    .map(([name, value]) => `${name.padEnd(12)}  ${value}`)
    .join('\n')
}

function textOfOrders({ isOn, directory, names, isOrdering, triedAt, nextAt, failure }: AcmeView): string {
  const time = (at: number) => new Date(at).toISOString().slice(0, 16).replace('T', ' ')
  const facts = {
    orders: isOn ? (isOrdering ? 'on, under way' : 'on') : 'off (godwit settings set acme.switch on)',
    directory,
    names: names.join(', ') || 'none (godwit settings set acme.domains NAMES)',
    ...(triedAt === null ? {} : { last: `${time(triedAt)} UTC${failure === null ? ', done' : ', failed'}` }),
    ...(failure === null ? {} : { failure: `${failure.reason}: ${failure.words}` }),
    ...(nextAt === null ? {} : { next: `${time(nextAt)} UTC` }),
  }
  return lines(facts)
}
