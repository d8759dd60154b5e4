import {
  CircleAlert,
  CircleCheck,
  File,
  FileClock,
  Folder,
  ListX,
  Pause,
  Play,
  RotateCcw,
  SkipForward,
  X,
} from 'lucide-react'
import { memo } from 'react'
import { formatDuration, formatRate, formatSize, splitName } from '../../../lib/formats.ts'
import { type Texts, useTexts } from '../../../lib/texts.tsx'
import { IconButton } from '../../../ui/button.tsx'
import { classNames } from '../../../ui/class-names.ts'
import { ProgressBar, type ProgressTone } from '../../../ui/progress-bar.tsx'
import { failureNote } from './failure-note.ts'
import type { UploadEngine } from './upload-engine.ts'
import styles from './upload-panel.module.css'
import type { Ghost, JobView } from './upload-views.ts'

export interface JobRowProps {
  readonly job: JobView
  readonly top: number
  readonly engine: UploadEngine
  readonly onCancel: (id: number) => void
  readonly onShowFailures: (id: number) => void
}

const TONES: Readonly<Record<JobView['state'], ProgressTone>> = {
  scanning: 'paused',
  waiting: 'paused',
  active: 'active',
  offline: 'paused',
  paused: 'paused',
  processing: 'active',
  completed: 'done',
  skipped: 'paused',
  failed: 'error',
}

export const JobRow = memo(function JobRow({ job, top, ...commands }: JobRowProps) {
  const texts = useTexts()
  const { name, state } = job
  const value = job.bytes === 0 ? job.done / Math.max(1, job.files) : job.sent / job.bytes
  return (
    <li
      className={classNames(
        styles['row'],
        state === 'failed' && styles['failed'],
        state === 'completed' && styles['completed'],
      )}
      style={{ top }}
      data-testid="upload-row"
      data-state={state}
    >
      <StateIcon job={job} />
      <Name name={name} />
      <div className={styles['text']}>
        <div className={styles['meta']}>
          <span title={noteOf(job, texts)}>{noteOf(job, texts)}</span>
          <span title={sizesOf(job, texts)}>{amountOf(job, texts)}</span>
        </div>
        {!isOver(state) && (
          <ProgressBar label={texts('uploads.progress', { name })} value={value} tone={TONES[state]} />
        )}
      </div>
      <Actions job={job} {...commands} />
    </li>
  )
})

function Name({ name }: { readonly name: string }) {
  const [head, tail] = splitName(name)
  return (
    <span className={styles['name']} title={name} translate="no">
      <span>{head}</span>
      <span>{tail}</span>
    </span>
  )
}

function StateIcon({ job: { state, isGroup } }: { readonly job: JobView }) {
  const Icon =
    state === 'completed'
      ? CircleCheck
      : state === 'failed'
        ? CircleAlert
        : state === 'skipped'
          ? SkipForward
          : isGroup
            ? Folder
            : File
  return <Icon size={20} aria-hidden="true" />
}

/** State and, while bytes move, speed and time left; for a failure what to do about it. */
function noteOf({ state, rate, left, isGroup, failed, error, skipped, isIgnored }: JobView, texts: Texts): string {
  if (state === 'failed')
    return isGroup ? texts('uploads.summary.failed', { count: failed }) : failureNote(error, texts)
  if (state === 'offline' && error !== undefined) return failureNote(error, texts)
  if (state === 'skipped' && isIgnored) return texts('uploads.state.ignored')
  if (state === 'completed' && skipped > 0) return texts('uploads.state.partly', { count: skipped })
  if (state !== 'active' || rate === undefined) return texts(`uploads.state.${state}`)
  return texts('uploads.rate-left', { rate: formatRate(rate, texts.locale), left: formatDuration(left, texts.locale) })
}

/** Files for a folder; for a file its size, or how much of it is there while speed and time left stand beside it. */
function amountOf(job: JobView, texts: Texts): string {
  const { isGroup, arrived, files, bytes, sent, state } = job
  const values = { done: arrived.toLocaleString(texts.locale), total: files.toLocaleString(texts.locale) }
  if (isGroup) return texts(isOver(state) ? 'uploads.counter' : 'uploads.bytes', values)
  if (isOver(state)) return formatSize(bytes, texts.locale)
  return state === 'active' ? percentOf(sent, bytes, texts) : sizesOf(job, texts)
}

function sizesOf({ bytes, sent, state }: JobView, texts: Texts): string {
  const total = formatSize(bytes, texts.locale)
  return isOver(state) ? total : texts('uploads.bytes', { done: formatSize(sent, texts.locale), total })
}

function percentOf(sent: number, bytes: number, { locale }: Texts): string {
  return (Math.floor((sent / Math.max(1, bytes)) * 100) / 100).toLocaleString(locale, { style: 'percent' })
}

function isOver(state: JobView['state']): boolean {
  return state === 'completed' || state === 'skipped' || state === 'failed'
}

function Actions({ job, engine, onCancel, onShowFailures }: Omit<JobRowProps, 'top'>) {
  const { id, name, state, isGroup } = job
  const texts = useTexts()
  const canPause = state === 'active' || state === 'waiting' || state === 'offline' || state === 'processing'
  return (
    <div className={styles['actions']}>
      {canPause && (
        <IconButton
          label={texts('uploads.pause', { name })}
          icon={<Pause size={16} aria-hidden="true" />}
          onClick={() => engine.pause(id)}
        />
      )}
      {state === 'paused' && (
        <IconButton
          label={texts('uploads.resume', { name })}
          icon={<Play size={16} aria-hidden="true" />}
          onClick={() => engine.resume(id)}
        />
      )}
      {state === 'failed' && isGroup && (
        <IconButton
          label={texts('uploads.failures.show', { name })}
          icon={<ListX size={16} aria-hidden="true" />}
          onClick={() => onShowFailures(id)}
        />
      )}
      {state === 'failed' && (
        <IconButton
          label={texts('uploads.retry', { name })}
          icon={<RotateCcw size={16} aria-hidden="true" />}
          onClick={() => engine.retry(id)}
        />
      )}
      {(!isOver(state) || state === 'failed') && (
        <IconButton
          label={texts('uploads.cancel', { name })}
          icon={<X size={16} aria-hidden="true" />}
          onClick={() => onCancel(id)}
        />
      )}
    </div>
  )
}

export interface GhostRowProps {
  readonly ghost: Ghost
  readonly top: number
  readonly onForget: (ghost: Ghost) => void
}

/** An unfinished upload of an earlier page. */
export function GhostRow({ ghost, top, onForget }: GhostRowProps) {
  const texts = useTexts()
  const { name, bytes, sent } = ghost
  return (
    <li className={styles['row']} style={{ top }} data-testid="upload-ghost">
      <FileClock size={20} aria-hidden="true" />
      <Name name={name} />
      <div className={styles['text']}>
        <div className={styles['meta']}>
          <span title={texts('uploads.state.ghost')}>{texts('uploads.state.ghost')}</span>
          <span>{percentOf(sent, bytes, texts)}</span>
        </div>
        <ProgressBar label={texts('uploads.progress', { name })} value={sent / Math.max(1, bytes)} tone="paused" />
      </div>
      <div className={styles['actions']}>
        <IconButton
          label={texts('uploads.forget', { name })}
          icon={<X size={16} aria-hidden="true" />}
          onClick={() => onForget(ghost)}
        />
      </div>
    </li>
  )
}
