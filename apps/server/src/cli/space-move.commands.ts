import { lockDataFolder } from '../foundation/installation/index.ts'
import { usersSearch, usersStore, foldCase } from '../identity/users/index.ts'
import type { Database, Db } from '../kernel/db/index.ts'
import {
  movePlaces,
  requireNoMoveJob,
  settleMoves,
  type PlaceReport,
  type RelocationDeps,
} from '../oversight/relocations/index.ts'
import { misused, missing, textOf } from './arguments.ts'
import type { Command, Invocation } from './command.types.ts'
import { EXIT, type ExitCode } from './exit-codes.ts'
import { withDatabase, withStorages } from './installation.ts'

const CHOICE = {
  account: { type: 'string', summary: 'Only the home of this account', value: 'NAME' },
  group: { type: 'string', summary: 'Only the library of this group', value: 'ID' },
} as const

const BLOCKERS: Readonly<Record<NonNullable<PlaceReport['blocker']>, string>> = {
  jobs: 'jobs are still to be done',
  events: 'events are still to be delivered',
  uploads: 'uploads have not ended',
  changes: 'changes of files are not booked yet',
  removal: 'its account is being removed',
}

const move: Command = {
  name: 'space move',
  summary:
    'Copy the homes and libraries of a space to another storage while the server runs; with --switch, while it is stopped, keep them there from then on',
  positionals: ['SPACE'],
  options: {
    to: { type: 'string', summary: 'Number of the storage', value: 'ID', required: true },
    ...CHOICE,
    switch: { type: 'boolean', summary: 'Copy what has changed since, and put the places on the new storage' },
  },
  examples: [
    'godwit space move 1 --to 2',
    'godwit space move 1 --to 2 --switch',
    'godwit space move 1 --to 2 --account mei',
  ],
  run: (call) =>
    onPlaces(call, async (deps, chosen) => {
      const isFinal = call.options['switch'] === true
      // Servers trust what they remember of places; only one that is not there does not.
      const lock = isFinal ? lockDataFolder(call.loaded.config.data, call.io.clock) : undefined
      try {
        await requireNoMoveJob(deps, chosen.spaceId, { orWaits: !isFinal })
        const reports = await movePlaces(deps, { ...chosen, to: Number(call.options['to']), isFinal })
        const names = await namesOf(deps.db, reports)
        const lines = reports.map((report) => line(report, names))
        call.show(reports, lines.join('\n') || 'Every place is on that storage already.')
        const isDone = reports.every(({ state }) => state === 'copied' || state === 'switched')
        return isDone ? EXIT.ok : EXIT.problems
      } finally {
        lock?.release()
      }
    }),
}

const settle: Command = {
  name: 'space move-settle',
  summary:
    'Remove what moved places left on their old storage; with --cancel give up moves that are not switched yet, and remove their copies',
  positionals: ['SPACE'],
  options: { ...CHOICE, cancel: { type: 'boolean', summary: 'Give moves up instead; the files stay where they are' } },
  examples: ['godwit space move-settle 1', 'godwit space move-settle 1 --cancel'],
  run: (call) =>
    onPlaces(call, async (deps, chosen) => {
      const isCancel = call.options['cancel'] === true
      await requireNoMoveJob(deps, chosen.spaceId, { orWaits: true })
      const settled = await settleMoves(deps, { ...chosen, isCancel })
      const kept = settled.reduce((sum, each) => sum + each.kept, 0)
      const what = isCancel ? 'gave up their move' : 'left nothing behind'
      const stayed = kept === 0 ? '' : ` ${kept} files were changed since they were copied, and stay.`
      call.show(settled, `${settled.length} places ${what}.${stayed}`)
      return EXIT.ok
    }),
}

export const SPACE_MOVE_COMMANDS: readonly Command[] = [move, settle]

interface Chosen {
  readonly spaceId: number
  readonly ownerId?: string | undefined
  readonly groupId?: number | undefined
}

async function onPlaces(
  call: Invocation,
  work: (deps: RelocationDeps, chosen: Chosen) => Promise<ExitCode>,
): Promise<ExitCode> {
  const account = textOf(call, 'account')
  const group = textOf(call, 'group')
  if (account !== undefined && group !== undefined) return misused(call, 'either --account or --group')
  return withDatabase(call, async (database: Database) => {
    const { db } = database
    const user = account === undefined ? undefined : await usersStore.byAccountOrEmail(db, foldCase(account))
    if (account !== undefined && user === undefined) return missing(call, `There is no account ${account}.`)
    const chosen = {
      ...{ spaceId: Number(call.positionals[0]), ownerId: user?.id },
      groupId: group === undefined ? undefined : Number(group),
    }
    const { clock, signal } = call.io
    return withStorages(call, database, (storages) => work({ db, clock, storages, signal }, chosen))
  })
}

async function namesOf(db: Db, reports: readonly PlaceReport[]): Promise<ReadonlyMap<string, string>> {
  const names = new Map<string, string>()
  const ids = reports.map(({ ownerId }) => ownerId).filter((id) => id !== '')
  for (let at = 0; at < ids.length; at += 500)
    for (const { id, account } of await usersSearch.byIds(db, ids.slice(at, at + 500))) names.set(id, account)
  return names
}

function line(report: PlaceReport, names: ReadonlyMap<string, string>): string {
  const { ownerId, groupId, state, blocker, files, bytes, copied = 0, changed = 0, leftOut = 0, corrupt = [] } = report
  const who = ownerId === '' ? `group ${groupId}` : (names.get(ownerId) ?? ownerId)
  const why = blocker === undefined ? '' : `: ${BLOCKERS[blocker]}`
  return [
    `${state.padEnd(8)}  ${who.padEnd(24)}  ${files} files, ${bytes} bytes; ${copied} copied now${why}`,
    ...(changed > 0 ? [`          ${changed} files were changed meanwhile: run it again`] : []),
    ...(leftOut > 0 ? [`          ${leftOut} links or names that cannot be used stay where they are`] : []),
    ...corrupt.map((key) => `          not what was stored: ${key}`),
  ].join('\n')
}
