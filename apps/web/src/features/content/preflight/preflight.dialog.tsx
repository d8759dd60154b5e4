import { nameFault, normaliseName } from '@godwit/contract/names'
import { useState } from 'react'
import { formatDuration, formatSize, formatTime } from '../../../lib/formats.ts'
import { type Texts, useTexts } from '../../../lib/texts.tsx'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { SelectField } from '../../../ui/select-field.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import styles from './preflight.module.css'
import {
  type Fix,
  type Fixes,
  type Preflight,
  type Problem,
  PROBLEM_KINDS,
  type ProblemKind,
  SKIP,
} from './problems.ts'
import { allowedPath, pathBeside } from './suggested-path.ts'

/** Files of a kind that are listed one by one; the others go as is chosen for all. */
const LISTED_MAX = 100

const WAYS = {
  taken: ['skip', 'keep-both', 'replace'],
  case: ['skip', 'rename'],
  name: ['skip', 'rename'],
  type: ['skip'],
  size: ['skip'],
  refused: ['skip'],
} as const satisfies Record<ProblemKind, readonly Way[]>

/** Of less, the time is that of the calls and not of the bytes. */
const TIMED_BYTES = 16 * 1024 * 1024

type Way = 'skip' | 'keep-both' | 'replace' | 'rename'

export interface PreflightProps {
  readonly subject: Preflight
  readonly answer: (fixes: Fixes) => void
}

/** What of a drop cannot go as it is, by the kind of its problem, with what can be done about it: for all, or one by one. */
export function PreflightDialog({ subject, answer, onClose }: PreflightProps & { readonly onClose: () => void }) {
  const texts = useTexts()
  const { problems, files } = subject
  const [fixes, setFixes] = useState(() => new Map(problems.map((problem) => [problem.path, firstFix(problem)])))
  const change = (changed: readonly Problem[], fixOf: (problem: Problem) => Fix): void =>
    setFixes(new Map([...fixes, ...changed.map((problem) => [problem.path, fixOf(problem)] as const)]))
  const skipped = problems.filter(({ path }) => isSkip(fixes.get(path)))
  const going = files - skipped.length
  const isNamed = problems.every(({ path }) => renameFault(fixes.get(path)) === undefined)
  return (
    <Dialog
      title={texts('preflight.title', { count: problems.length })}
      closeLabel={texts('common.cancel')}
      onClose={onClose}
      foot={
        <>
          <Button onClick={onClose}>{texts('common.cancel')}</Button>
          <Button kind="solid" disabled={!isNamed} onClick={() => answer(fixes)}>
            {going === 0 ? texts('preflight.none') : texts('preflight.submit', { count: going })}
          </Button>
        </>
      }
    >
      <div className={styles['groups']} data-testid="preflight">
        <Room subject={subject} bytes={subject.bytes - skipped.reduce((sum, { size }) => sum + size, 0)} />
        {PROBLEM_KINDS.map((kind) => {
          const some = problems.filter((problem) => problem.kind === kind)
          return some.length > 0 && <Group key={kind} kind={kind} problems={some} fixes={fixes} onChange={change} />
        })}
      </div>
    </Dialog>
  )
}

/** What goes, how long it may take, and whether there is room for it. */
function Room({ subject, bytes }: { readonly subject: Preflight; readonly bytes: number }) {
  const texts = useTexts()
  const { quotaLeftBytes, isStorageFull, rate } = subject
  const size = formatSize(bytes, texts.locale)
  const isOver = quotaLeftBytes !== null && bytes > quotaLeftBytes
  return (
    <>
      <p className={styles['sum']}>
        {rate === undefined || rate <= 0 || bytes < TIMED_BYTES
          ? texts('preflight.size', { size })
          : texts('preflight.time', { size, time: formatDuration(bytes / rate, texts.locale) })}
      </p>
      {isOver && (
        <Notice kind="warning">
          {texts('preflight.quota', { size, left: formatSize(quotaLeftBytes, texts.locale) })}
        </Notice>
      )}
      {isStorageFull && <Notice kind="warning">{texts('preflight.storage', { size })}</Notice>}
    </>
  )
}

interface GroupProps {
  readonly kind: ProblemKind
  readonly problems: readonly Problem[]
  readonly fixes: ReadonlyMap<string, Fix>
  readonly onChange: (problems: readonly Problem[], fixOf: (problem: Problem) => Fix) => void
}

function Group({ kind, problems, fixes, onChange }: GroupProps) {
  const texts = useTexts()
  const ways: readonly Way[] = WAYS[kind]
  const more = problems.length - LISTED_MAX
  const [common] = [...new Set(problems.map(({ path }) => wayOf(fixes.get(path))))]
  const isMixed = problems.some(({ path }) => wayOf(fixes.get(path)) !== common)
  return (
    <section className={styles['group']} aria-label={texts(`preflight.kind.${kind}`, { count: problems.length })}>
      <div className={styles['head']}>
        <h3>{texts(`preflight.kind.${kind}`, { count: problems.length })}</h3>
        {ways.length > 1 && problems.length > 1 && (
          <SelectField
            label={texts('preflight.all', { count: problems.length })}
            value={isMixed ? '' : (common ?? '')}
            choices={[
              ...(isMixed ? [{ value: '', label: texts('preflight.mixed') }] : []),
              ...ways.map((way) => ({ value: way, label: texts(`preflight.way.${way}`) })),
            ]}
            onChange={({ target }) => onChange(problems, (problem) => fixOfWay(problem, target.value))}
          />
        )}
      </div>
      <ul className={styles['files']}>
        {problems.slice(0, LISTED_MAX).map((problem) => (
          <Row
            key={problem.path}
            problem={problem}
            ways={ways}
            fix={fixes.get(problem.path) ?? SKIP}
            onFix={(fix) => onChange([problem], () => fix)}
          />
        ))}
      </ul>
      {more > 0 && <p>{texts('too-large.more', { count: more })}</p>}
    </section>
  )
}

interface RowProps {
  readonly problem: Problem
  readonly ways: readonly Way[]
  readonly fix: Fix
  readonly onFix: (fix: Fix) => void
}

function Row({ problem, ways, fix, onFix }: RowProps) {
  const texts = useTexts()
  const fault = renameFault(fix)
  return (
    <li className={styles['file']}>
      <div className={styles['what']}>
        <span translate="no">{problem.path}</span>
        <small>{noteOf(problem, texts)}</small>
      </div>
      {ways.length > 1 && (
        <SelectField
          label={texts('preflight.one')}
          aria-label={texts('preflight.one-of', { name: problem.path })}
          value={wayOf(fix)}
          choices={ways.map((way) => ({ value: way, label: texts(`preflight.way.${way}`) }))}
          onChange={({ target }) => onFix(fixOfWay(problem, target.value))}
        />
      )}
      {'rename' in fix && (
        <div className={styles['rename']}>
          <TextField
            label={texts('preflight.new-name')}
            value={fix.rename}
            maxLength={4096}
            spellCheck={false}
            onChange={({ target }) => onFix({ rename: target.value })}
            error={fault === undefined ? undefined : texts.nameFault(fault)}
          />
        </div>
      )}
    </li>
  )
}

function noteOf({ existing, error, size }: Problem, texts: Texts): string {
  if (existing === undefined) return texts.failure(error)
  if (existing.isFolder) return texts('preflight.taken-folder')
  const sizes = { old: formatSize(existing.size, texts.locale), new: formatSize(size, texts.locale) }
  return texts('preflight.taken', { ...sizes, time: formatTime(existing.time) })
}

/** What is proposed: nothing is replaced unasked, and a name is mended where that is all it takes. */
function firstFix(problem: Problem): Fix {
  return problem.kind === 'name' || problem.kind === 'case' ? fixOfWay(problem, 'rename') : SKIP
}

function fixOfWay({ kind, path }: Problem, way: string): Fix {
  if (way === 'keep-both' || way === 'replace') return { choice: way }
  if (way !== 'rename') return SKIP
  return { rename: kind === 'case' ? pathBeside(path) : allowedPath(path) }
}

function wayOf(fix: Fix = SKIP): Way {
  return 'rename' in fix ? 'rename' : fix.choice
}

function isSkip(fix: Fix | undefined): boolean {
  return wayOf(fix) === 'skip'
}

function renameFault(fix: Fix | undefined) {
  if (fix === undefined || !('rename' in fix)) return undefined
  const faults = fix.rename.split('/').map((name) => nameFault(normaliseName(name)))
  return faults.find((fault) => fault !== undefined)
}
