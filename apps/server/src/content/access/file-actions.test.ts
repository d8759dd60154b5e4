import {
  fileActionNames,
  FILE_PAGES,
  FULL_PERMISSION,
  mayLeave,
  offersFileAction,
  PERMISSION,
  takesArrival,
  type FileActionName,
  type FilePage,
  type FileSelection,
  type Permission,
} from '@godwit/contract'
import { describe, expect, it } from 'vitest'
import { decide, NO_CAP, type Role } from './grants.policy.ts'
import type { Need } from './needs.ts'

/** Which pages have which actions: specification 2, section 6, and what was decided since. */
const PAGES: Readonly<Record<FileActionName, readonly FilePage[]>> = {
  open: ['personal', 'group', 'share', 'invite'],
  'upload-files': ['personal', 'group', 'invite'],
  'upload-folder': ['personal', 'group', 'invite'],
  'new-folder': ['personal', 'group', 'invite'],
  download: ['personal', 'group', 'share'],
  'client-upload-files': ['personal', 'group'],
  'client-upload-folder': ['personal', 'group'],
  'client-download': ['personal', 'group'],
  sync: ['personal', 'group'],
  'sync-down': ['personal', 'group'],
  rename: ['personal', 'group'],
  'batch-rename': ['personal', 'group'],
  move: ['personal', 'group'],
  copy: ['personal', 'group'],
  remove: ['personal', 'group'],
  pack: ['personal', 'group'],
  unpack: ['personal', 'group'],
  versions: ['personal', 'group'],
  attributes: ['personal', 'group'],
  share: ['personal', 'group'],
  invite: ['personal', 'group'],
}

const EVERY_WAY = { canUseWebTransfer: true, canUseClientTransfer: true, canSync: true }

type Asked = readonly [Need, Role]

/** What the server asks for when the action is taken, for a file and for a folder. */
const ASKED: Readonly<Record<FileActionName, { readonly file: readonly Asked[]; readonly folder: readonly Asked[] }>> =
  {
    open: { file: [], folder: [] },
    'upload-files': both(['uploadFile', 'new-file']),
    'upload-folder': both(['uploadFile', 'new-file'], ['uploadFolder', 'new-folder']),
    'new-folder': both(['makeFolder', 'new-folder']),
    download: { file: [['download', 'entry']], folder: [['downloadFolder', 'entry']] },
    'client-upload-files': both(['uploadFile', 'new-file']),
    'client-upload-folder': both(['uploadFile', 'new-file'], ['uploadFolder', 'new-folder']),
    'client-download': { file: [['download', 'entry']], folder: [['downloadFolder', 'entry']] },
    sync: both(['hotFolderUp', 'new-file'], ['uploadFolder', 'new-folder']),
    'sync-down': both(['hotFolderDown', 'entry'], ['downloadFolder', 'entry']),
    rename: both(['rename', 'entry']),
    'batch-rename': both(['rename', 'entry']),
    move: both(['move', 'entry'], ['moveHere', 'new-folder']),
    copy: {
      file: [
        ['copy', 'entry'],
        ['copyHere', 'new-file'],
      ],
      folder: [
        ['copyFolder', 'entry'],
        ['copyFolderHere', 'new-folder'],
      ],
    },
    remove: both(['delete', 'entry']),
    pack: both(['pack', 'entry'], ['packHere', 'new-file']),
    unpack: both(['unpack', 'entry'], ['unpackHere', 'new-folder']),
    versions: both(['listVersions', 'entry']),
    attributes: both(['list', 'entry']),
    share: { file: [['share', 'entry']], folder: [['shareFolder', 'entry']] },
    invite: both(['invite', 'entry']),
  }

function both(...asked: readonly Asked[]) {
  return { file: asked, folder: asked }
}

const SELECTIONS: ReadonlyArray<FileSelection & { readonly label: string }> = [
  selected('nothing', 0, {}),
  selected('a file', 1, { hasFile: true }),
  selected('an archive', 1, { hasFile: true, isArchive: true }),
  selected('two files', 2, { hasFile: true }),
  selected('a folder', 1, { hasFolder: true }),
  selected('a file and a folder', 2, { hasFile: true, hasFolder: true }),
  selected('a virtual folder', 1, { hasVirtualFolder: true }),
  selected('a file and a virtual folder', 2, { hasFile: true, hasVirtualFolder: true }),
]

function selected(label: string, count: number, kinds: Partial<FileSelection>) {
  return { label, hasFile: false, hasFolder: false, hasVirtualFolder: false, isArchive: false, ...kinds, count }
}

/** Whether an action is about this selection at all. */
function isAbout(name: FileActionName, { count, hasFile, hasVirtualFolder, isArchive }: FileSelection): boolean {
  if (name.includes('upload-') || name === 'new-folder') return true
  if (name === 'invite' || name.startsWith('sync')) return count <= 1 && !hasFile
  const changes: readonly FileActionName[] = ['rename', 'batch-rename', 'move', 'copy', 'remove', 'pack']
  if (changes.includes(name) && hasVirtualFolder) return false
  if (name === 'unpack') return isArchive
  if (name === 'versions') return count === 1 && hasFile
  if (name === 'rename' || name === 'open') return count === 1
  return count > (name === 'batch-rename' ? 1 : 0)
}

function allows(flags: number, [need, role]: Asked): boolean {
  const given = [{ subject: { kind: 'user' as const, id: 'u' }, prefix: '/', flags }]
  const grants = { given, caps: [NO_CAP], rules: [], isAdministrator: false, quotaBuckets: [] }
  return decide(grants, need, { path: '/entry', role }).answer === 'allowed'
}

const ALL_FLAGS = Object.values(PERMISSION).filter((flag) => (flag & FULL_PERMISSION) !== 0)
/** Every flag of some action, alone, left out, and each pair of them: what an action needs is two flags at most, or three. */
const FLAG_SETS = [
  0,
  FULL_PERMISSION,
  ...ALL_FLAGS,
  ...ALL_FLAGS.map((flag) => FULL_PERMISSION & ~flag),
  ...ALL_FLAGS.flatMap((one) => ALL_FLAGS.map((other) => one | other)),
  ...ALL_FLAGS.flatMap((one) =>
    ALL_FLAGS.flatMap((other) => ALL_FLAGS.map((third) => PERMISSION.list | one | other | third)),
  ),
]

describe('the actions of a page', () => {
  it('are offered exactly where page, selection and the rights that the server asks for allow them', () => {
    const wrong: string[] = []
    let cells = 0
    for (const permission of new Set(FLAG_SETS)) {
      for (const name of fileActionNames()) {
        const file = ASKED[name].file.every((asked) => allows(permission, asked))
        const folder = ASKED[name].folder.every((asked) => allows(permission, asked))
        for (const selection of SELECTIONS) {
          const isAllowed = file && (folder || !(selection.hasFolder || selection.hasVirtualFolder))
          for (const page of FILE_PAGES) {
            const expected = PAGES[name].includes(page) && isAbout(name, selection) && isAllowed
            const isOffered = offersFileAction(name, { page, permission, selection, ...EVERY_WAY })
            if (isOffered !== expected) wrong.push(`${name} on ${page} with ${permission} for ${selection.label}`)
            cells++
          }
        }
      }
    }
    expect(wrong.slice(0, 20)).toEqual([])
    expect(cells).toBeGreaterThan(50_000)
  })

  it('move and copy between folders and places exactly with the rights of both sides', () => {
    const wrong: string[] = []
    for (const permission of new Set(FLAG_SETS)) {
      for (const hasFolder of [false, true]) {
        const role = hasFolder ? 'new-folder' : 'new-file'
        const cells = [
          ['move', false, 'moveHere'],
          ['copy', false, hasFolder ? 'copyFolderHere' : 'copyHere'],
          ['move', true, hasFolder ? 'bringFolder' : 'bringFile'],
          ['copy', true, hasFolder ? 'bringFolder' : 'bringFile'],
        ] as const
        for (const [kind, isAcross, here] of cells) {
          // The folder itself is opened with the need of a file.
          const opened = here === 'bringFolder' ? 'bringFile' : here === 'copyFolderHere' ? 'copyHere' : here
          const isAllowed = allows(permission, [here, role]) && allows(permission, [opened, 'folder'])
          const arrival = { kind, isAcross, hasFolder }
          if (takesArrival(permission, arrival) !== isAllowed) wrong.push(`${permission} ${JSON.stringify(arrival)}`)
        }
        const out = [
          ['move', 'moveOut'],
          ['copy', hasFolder ? 'copyOutFolder' : 'copyOut'],
        ] as const
        for (const [kind, need] of out) {
          const isAllowed = allows(permission, [need, 'entry'])
          if (mayLeave(permission, { kind, hasFolder }) !== isAllowed) wrong.push(`${permission} out ${kind}`)
        }
      }
    }
    expect(wrong).toEqual([])
  })

  it('that move bytes need the way that moves them: the browser or the client', () => {
    const hiddenWithout = (way: keyof typeof EVERY_WAY) =>
      fileActionNames().filter((name) =>
        SELECTIONS.some((selection) => {
          const situation = { page: 'personal', permission: FULL_PERMISSION, selection } as const
          const offers = (isPossible: boolean): boolean =>
            offersFileAction(name, { ...situation, ...EVERY_WAY, [way]: isPossible })
          return offers(true) && !offers(false)
        }),
      )
    expect(hiddenWithout('canUseWebTransfer')).toEqual(['upload-files', 'upload-folder', 'download'])
    expect(hiddenWithout('canUseClientTransfer')).toEqual([
      'client-upload-files',
      'client-upload-folder',
      'client-download',
      'sync',
      'sync-down',
    ])
    expect(hiddenWithout('canSync')).toEqual(['sync', 'sync-down'])
  })

  it('of a group include moving and copying as soon as the membership has the flag', () => {
    const offers = (name: FileActionName, ...flags: readonly Permission[]): boolean =>
      offersFileAction(name, {
        page: 'group',
        permission: flags.reduce((set, flag) => set | PERMISSION[flag], 0),
        selection: selected('a file', 1, { hasFile: true }),
        ...EVERY_WAY,
      })
    expect(offers('move', 'list', 'download')).toBe(false)
    expect(offers('move', 'list', 'move')).toBe(true)
    expect(offers('copy', 'list', 'copy')).toBe(true)
  })
})
