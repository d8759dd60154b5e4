import { PERMISSION, type Permission } from '@godwit/contract'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  decide,
  hidesBelow,
  judge,
  mayHideBelow,
  NO_CAP,
  ratesOf,
  visibility,
  type Grant,
  type Grants,
  type Role,
} from './grants.policy.ts'
import { NEEDS, needSpec, type Need } from './needs.ts'
import { compileRules, type RuleTexts } from './rules.ts'
import { naiveDecision, naiveVisibility, NEED_FLAGS, type NaiveWorld } from './testing/naive-policy.ts'

const ROOT: Pick<Grant, 'subject' | 'prefix'> = { subject: { kind: 'user', id: 'u' }, prefix: '/' }

function setOf(flags: readonly Permission[]): number {
  return flags.reduce((set, flag) => set | PERMISSION[flag], 0)
}

function grantsOf(flags: number, ...levels: readonly RuleTexts[]): Grants {
  return {
    given: [{ ...ROOT, flags }],
    caps: [NO_CAP],
    rules: levels.map(compileRules),
    isAdministrator: false,
    quotaBuckets: [],
  }
}

function roleOf(need: Need): Role {
  return needSpec(need).effect === 'creates' ? 'new-file' : 'entry'
}

const ask = (grants: Grants, need: Need, path: string, role: Role = roleOf(need)) =>
  decide(grants, need, { path, role })

const ALL_NEEDS = Object.keys(NEEDS) as Need[]

describe('what an operation needs', () => {
  it.each(ALL_NEEDS.filter((need) => need !== 'removeVersion'))('%s: every one of its flags and no other', (need) => {
    const flags = NEED_FLAGS[need]
    expect(ask(grantsOf(setOf(flags)), need, '/a/b')).toEqual({ answer: 'allowed' })
    for (const missing of flags) {
      const others = NO_CAP & ~PERMISSION[missing]
      expect(ask(grantsOf(others), need, '/a/b')).toEqual({ answer: 'denied', permission: missing })
    }
  })

  it('a set of nothing, or of the flags that grant nothing, is denied everything', () => {
    for (const need of ALL_NEEDS) {
      for (const flags of [0, PERMISSION.cwd | PERMISSION.append]) {
        expect(ask(grantsOf(flags), need, '/a')).toMatchObject({ answer: 'denied' })
      }
    }
  })

  it('removing a version is for the administrator of the place', () => {
    expect(ask(grantsOf(NO_CAP), 'removeVersion', '/a')).toMatchObject({ answer: 'denied' })
    expect(ask({ ...grantsOf(0), isAdministrator: true }, 'removeVersion', '/a')).toEqual({ answer: 'allowed' })
  })

  it('a reviewer views under the grant and does nothing else', () => {
    const given = [
      { subject: { kind: 'reviewer', id: 'r' }, prefix: '/d', flags: PERMISSION.list, mayView: true },
    ] as const
    const grants = { ...grantsOf(0), given }
    expect(ask(grants, 'view', '/d/x')).toEqual({ answer: 'allowed' })
    expect(ask(grants, 'list', '/d')).toEqual({ answer: 'allowed' })
    expect(ask(grants, 'download', '/d/x')).toEqual({ answer: 'denied', permission: 'download' })
    expect(ask(grants, 'view', '/other')).toMatchObject({ answer: 'hidden' })
  })

  it('nothing goes beyond a cap: a mount, an API token, what a link’s owner may do now', () => {
    const grants = {
      ...grantsOf(NO_CAP),
      caps: [PERMISSION.list | PERMISSION.download, PERMISSION.list | PERMISSION.upload],
    }
    expect(ask(grants, 'list', '/a')).toEqual({ answer: 'allowed' })
    expect(ask(grants, 'download', '/a')).toEqual({ answer: 'denied', permission: 'download' })
    expect(ask(grants, 'uploadFile', '/a')).toEqual({ answer: 'denied', permission: 'upload' })
  })

  it('the nearest prefix counts; above it there is only the way', () => {
    const given = [
      { ...ROOT, prefix: '/in', flags: NO_CAP },
      { ...ROOT, prefix: '/in/shared', flags: PERMISSION.list },
      { ...ROOT, prefix: '/in/shared', flags: PERMISSION.download },
    ]
    const grants = { ...grantsOf(0), given }
    expect(ask(grants, 'delete', '/in/x')).toEqual({ answer: 'allowed' })
    expect(ask(grants, 'download', '/in/shared/x')).toEqual({ answer: 'allowed' })
    expect(ask(grants, 'delete', '/in/shared/x')).toEqual({ answer: 'denied', permission: 'delete' })
    expect(visibility(grants, '/')).toBe('way')
    expect(visibility(grants, '/out')).toBe('hidden')
    expect(ask(grants, 'list', '/')).toEqual({ answer: 'allowed' })
  })
})

describe('forbidden and allowed paths', () => {
  const keys = grantsOf(NO_CAP, { forbiddenPaths: ['/b/*.key'] })

  it('what is forbidden does not exist, and nothing may come to be there, in the same words', () => {
    expect(ask(keys, 'download', '/b/x.KEY')).toEqual({ answer: 'hidden' })
    expect(ask(keys, 'download', '/b/x.key/below')).toEqual({ answer: 'hidden' })
    expect(ask(keys, 'uploadFile', '/b/x.key')).toEqual({ answer: 'denied', permission: 'upload' })
    expect(ask(keys, 'rename', '/b/x.key', 'new-file')).toEqual({ answer: 'denied', permission: 'rename' })
    expect(ask(keys, 'restore', '/b/x.key', 'new-folder')).toEqual({ answer: 'denied', permission: 'upload' })
  })

  it('without the flag a forbidden name and a missing one get the same answer', () => {
    const listing = grantsOf(PERMISSION.list, { forbiddenPaths: ['/b/*.key'] })
    expect(ask(listing, 'download', '/b/x.key')).toEqual(ask(listing, 'download', '/b/missing'))
  })

  it('a folder that holds some is known by pattern, or by looking', () => {
    expect(hidesBelow(keys, '/b')).toBe('yes')
    expect(hidesBelow(keys, '/c')).toBe('no')
    expect(hidesBelow(grantsOf(0, { forbiddenPaths: ['*.key'] }), '/c')).toBe('look')
    expect(mayHideBelow(keys, '/b')).toBe(true)
    expect(mayHideBelow(keys, '/b/sub')).toBe(false)
    expect(mayHideBelow(grantsOf(0), '/')).toBe(false)
  })

  it('allowed paths show only the way to them, which takes no change', () => {
    const grants = grantsOf(NO_CAP, { allowedPaths: ['/a/b/*'] })
    expect(['/', '/a', '/a/b', '/a/b/c', '/a/b/c/d', '/x', '/a/x'].map((path) => visibility(grants, path))).toEqual([
      ...['way', 'way', 'way', 'full', 'full', 'hidden', 'hidden'],
    ])
    expect(ask(grants, 'delete', '/a/b')).toEqual({ answer: 'denied', permission: 'delete' })
    expect(ask(grants, 'list', '/a')).toEqual({ answer: 'allowed' })
    expect(ask(grants, 'makeFolder', '/a/b', 'new-folder')).toEqual({ answer: 'denied', permission: 'mkdir' })
    expect(ask(grants, 'makeFolder', '/a/b/new', 'new-folder')).toEqual({ answer: 'allowed' })
    expect(ask(grants, 'purge', '/')).toEqual({ answer: 'allowed' })
  })

  it('two levels of allowed paths both count', () => {
    const grants = grantsOf(NO_CAP, { allowedPaths: ['/a'] }, { allowedPaths: ['/a/b', '/c'] })
    expect(['/a', '/a/b', '/c', '/a/x'].map((path) => visibility(grants, path))).toEqual([
      ...['way', 'full', 'hidden', 'hidden'],
    ])
  })

  it('a name that cannot be decoded does not exist', () => expect(visibility(grantsOf(0), '/\ud800')).toBe('hidden'))
})

describe('other rules', () => {
  it('upload-new-only denies every change of what exists, whatever the flags say', () => {
    const grants = grantsOf(NO_CAP, {}, { uploadNewOnly: true })
    for (const need of ALL_NEEDS.filter((one) => needSpec(one).effect === 'changes')) {
      expect(ask(grants, need, '/a')).toMatchObject({ answer: 'denied' })
    }
    for (const need of ['uploadFile', 'makeFolder', 'list', 'download', 'restore'] as const) {
      expect(ask(grants, need, '/a')).toEqual({ answer: 'allowed' })
    }
  })

  it('denied types unite, allowed types intersect, for every way a name comes to be', () => {
    const grants = grantsOf(
      NO_CAP,
      { deniedTypes: ['exe'], allowedTypes: ['pdf', 'TAR.GZ', 'exe', ''] },
      { deniedTypes: ['bat'], allowedTypes: ['pdf', 'gz', 'tar.gz', ''] },
    )
    const names = ['a.PDF', 'a.exe', 'a.bat', 'a.tar.gz', 'a.gz', 'a.txt', 'none', 'x.pdf.exe']
    expect(names.map((name) => ask(grants, 'uploadFile', `/${name}`).answer === 'allowed')).toEqual([
      ...[true, false, false, true, false, false, true, false],
    ])
    expect(ask(grants, 'rename', '/a.exe', 'new-file')).toEqual({ answer: 'type-not-allowed' })
    expect(ask(grants, 'makeFolder', '/a.exe', 'new-folder')).toEqual({ answer: 'allowed' })
    expect(ask(grants, 'moveHere', '/a.exe', 'new-file')).toEqual({ answer: 'allowed' })
    expect(ask(grants, 'moveHereAs', '/a.exe', 'new-file')).toEqual({ answer: 'type-not-allowed' })
    expect(ask(grants, 'download', '/a.exe')).toEqual({ answer: 'allowed' })
  })

  it('every limit counts at once, up and down apart; 0 is none', () => {
    const site = { id: 'site', bytesPerSecond: 100 }
    const grants = grantsOf(
      0,
      { uploadRates: [site] },
      { uploadRates: [{ id: 'user', bytesPerSecond: 0 }], downloadRates: [site] },
    )
    expect(ratesOf(grants, 'upload')).toEqual([site])
    expect(ratesOf(grants, 'download')).toEqual([site])
  })
})

const segment = fc.constantFrom('a', 'B', 'b', 'straße', 'STRASSE', 'x.key', 'y.KEY', 'é', 'e\u0301', '(a+)+')
const path = fc.array(segment, { maxLength: 4 }).map((names) => `/${names.join('/')}`.normalize('NFC'))
const pattern = fc
  .tuple(
    fc.boolean(),
    fc.array(fc.oneof(segment, fc.constantFrom('*', '**', '*.key', 'a**', '*b')), { minLength: 1, maxLength: 3 }),
  )
  .map(([isAnchored, segments]) => (isAnchored ? '/' : '') + segments.join('/'))
const patterns = fc.oneof({ weight: 2, arbitrary: fc.constant([]) }, fc.array(pattern, { maxLength: 2 }))
const types = fc.array(fc.constantFrom('key', 'KEY', 'x', ''), { maxLength: 2 })
const level: fc.Arbitrary<Required<Omit<RuleTexts, 'level' | 'uploadRates' | 'downloadRates'>>> = fc.record({
  forbiddenPaths: patterns,
  allowedPaths: patterns,
  uploadNewOnly: fc.boolean(),
  deniedTypes: types,
  allowedTypes: types,
})
const flags = fc.oneof(fc.constant(NO_CAP), fc.integer({ min: 0, max: NO_CAP }))
const world: fc.Arbitrary<NaiveWorld> = fc.record({
  given: fc.array(fc.record({ prefix: fc.oneof(fc.constant('/'), path), flags, mayView: fc.boolean() }), {
    maxLength: 2,
  }),
  caps: fc.array(flags, { maxLength: 2 }),
  levels: fc.array(level, { maxLength: 2 }),
  isAdministrator: fc.boolean(),
})

function compiled({ given, caps, levels, isAdministrator }: NaiveWorld): Grants {
  return {
    given: given.map((grant) => ({ ...grant, subject: ROOT.subject })),
    caps,
    rules: levels.map(compileRules),
    isAdministrator,
    quotaBuckets: [],
  }
}

describe('the rules of access as a whole', () => {
  it('decide as a second, naive implementation does, in 10,000 random worlds', () => {
    const question = fc.record({
      need: fc.constantFrom(...ALL_NEEDS),
      path,
      role: fc.constantFrom<Role>('entry', 'folder', 'new-file', 'new-folder'),
    })
    fc.assert(
      fc.property(world, fc.array(question, { minLength: 4, maxLength: 8 }), (naive, questions) => {
        const grants = compiled(naive)
        for (const { need, path: at, role } of questions) {
          expect([at, visibility(grants, at)]).toEqual([at, naiveVisibility(naive, at)])
          expect([need, at, role, decide(grants, need, { path: at, role })]).toEqual([
            ...[need, at, role, naiveDecision(naive, NEED_FLAGS[need], { need, path: at, role })],
          ])
        }
      }),
      { numRuns: 10_000 },
    )
  }, 120_000)

  it('name what decides: a level that alone refuses, or a flag that was not given or is taken away', () => {
    fc.assert(
      fc.property(world, fc.constantFrom(...ALL_NEEDS), path, (naive, need, at) => {
        const grants = compiled(naive)
        const [role, isRefused] = [roleOf(need), (rest: Grants) => ask(rest, need, at).answer !== 'allowed']
        const reason = judge(grants, need, { path: at, role }).why()
        expect(reason.kind === 'granted').toBe(!isRefused(grants))
        if ('rules' in reason) {
          expect(isRefused({ ...grants, rules: [reason.rules] })).toBe(true)
          const rest = judge({ ...grants, rules: [] }, need, { path: at, role }).why()
          expect(['granted', 'outside']).toContain(rest.kind)
        }
        // With all flags it is no flag any more; without the caps, none is taken away.
        const { permission } = { permission: undefined, ...reason }
        if (reason.kind !== 'flag' && reason.kind !== 'cap') return
        expect(needSpec(need).flags.length === 0 || needSpec(need).flags.some((flag) => flag === permission)).toBe(true)
        const uncapped = judge({ ...grants, caps: [] }, need, { path: at, role }).why()
        expect(uncapped).not.toEqual({ kind: 'cap', permission })
        if (reason.kind === 'flag') expect(uncapped).toEqual(reason)
      }),
      { numRuns: 5_000 },
    )
  })

  it('only narrow: another level of rules allows nothing new', () => {
    fc.assert(
      fc.property(world, level, fc.constantFrom(...ALL_NEEDS), path, (naive, more, need, at) => {
        const wide = compiled(naive)
        const narrow = compiled({ ...naive, levels: [...naive.levels, more] })
        const isAllowed = (grants: Grants) => ask(grants, need, at).answer === 'allowed'
        if (isAllowed(narrow)) expect(isAllowed(wide)).toBe(true)
      }),
      { numRuns: 1_000 },
    )
  })

  it('hide everything below what is hidden, and show the way to everything that is shown', () => {
    fc.assert(
      fc.property(world, path, segment, (naive, at, name) => {
        const grants = compiled(naive)
        const child = `${at === '/' ? '' : at}/${name}`.normalize('NFC')
        if (visibility(grants, at) === 'hidden') expect(visibility(grants, child)).toBe('hidden')
        if (!mayHideBelow(grants, at)) expect(visibility(grants, child)).toBe('full')
      }),
      { numRuns: 2_000 },
    )
  })
})
