import { routes } from '@godwit/contract/table'
import type { SpaceMoveProgress, SpaceMoveView } from '@godwit/contract'
import { useState } from 'react'
import { formatDuration, formatRate, formatSize, formatTime } from '../../../lib/formats.ts'
import { useServices } from '../../../lib/services.tsx'
import { useTexts } from '../../../lib/texts.tsx'
import { Button } from '../../../ui/button.tsx'
import { ConfirmAction } from '../../../ui/confirm-action.tsx'
import { FailureNotice } from '../../../ui/failure-notice.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { ProgressBar } from '../../../ui/progress-bar.tsx'
import { SectionCard } from '../../../ui/section-card.tsx'
import { useRefresh } from '../../console-kit/list-source.ts'
import { type BeginMoveProps, useBegin } from './space-move-begin.tsx'
import { moveFault, moveKey, storageName, type SpaceMoveState } from './space-move-state.ts'
import styles from './spaces.module.css'

export interface SpaceMoveCardProps extends BeginMoveProps {
  readonly move: SpaceMoveView
}

/** How far a move is, how it ended, and what may be done about it. */
export function SpaceMoveCard({ spaceId, name, move, state }: SpaceMoveCardProps) {
  const texts = useTexts()
  const { run, failure } = useMoveCalls(spaceId)
  const storage = storageName(state, move.storageId)
  const [asked, setAsked] = useState<'switch' | 'cancel'>()
  const { begin, failure: beginFailure } = useBegin(spaceId)
  const isCopy = move.task === 'copy'
  const isSwitchOver = move.task === 'switch' && move.state === 'failed'
  const maySwitch = state.canSwitch && ((isCopy && move.state === 'done') || isSwitchOver)
  const mayGiveUp = isCopy || (isSwitchOver && state.switched === 0)
  return (
    <SectionCard title={texts(`console-spaces.move.task.${move.task}`, { storage })}>
      <div className={styles['steps']}>
        <FailureNotice failure={failure ?? beginFailure} />
        <Standing spaceId={spaceId} move={move} storage={storage} canSwitch={state.canSwitch} />
        {move.progress.corrupt.length > 0 && <Corrupt progress={move.progress} />}
        <div className={styles['buttons']}>
          {maySwitch && (
            <Button kind="solid" onClick={() => setAsked('switch')}>
              {texts('console-spaces.move.switch')}
            </Button>
          )}
          {isCopy && move.state === 'working' && (
            <Button onClick={() => run('pause')}>{texts('console-spaces.move.pause')}</Button>
          )}
          {isCopy && move.state !== 'working' && (
            <Button kind={maySwitch ? 'outline' : 'solid'} onClick={() => begin(move.storageId)}>
              {texts(move.state === 'done' ? 'console-spaces.move.again' : 'console-spaces.move.resume')}
            </Button>
          )}
          {mayGiveUp && <Button onClick={() => setAsked('cancel')}>{texts('console-spaces.move.cancel')}</Button>}
          {move.task === 'cancel' && move.state === 'failed' && (
            <Button kind="solid" onClick={() => run('cancel')}>
              {texts('console-spaces.move.retry')}
            </Button>
          )}
        </div>
      </div>
      {asked !== undefined && (
        <ConfirmAction
          title={texts(`console-spaces.move.${asked}.title`, { name, storage })}
          text={texts(`console-spaces.move.${asked}.text`, { storage })}
          submitLabel={texts(`console-spaces.move.${asked}`)}
          onClose={() => setAsked(undefined)}
          onConfirm={() => run(asked)}
        />
      )}
    </SectionCard>
  )
}

interface StandingProps {
  readonly spaceId: number
  readonly move: SpaceMoveView
  readonly storage: string
  readonly canSwitch: boolean
}

function Standing({ spaceId, move, storage, canSwitch }: StandingProps) {
  const texts = useTexts()
  const { task, state, error, progress, changedAt } = move
  const time = formatTime(changedAt / 1000)
  if (state === 'failed') return <Notice kind="error">{moveFault(texts, move)}</Notice>
  if (task !== 'copy') {
    if (state === 'working') return <p role="status">{texts(`console-spaces.move.${task}.busy`, { storage })}</p>
    const kept = { count: progress.changed, storage }
    return <Notice kind="success">{texts(`console-spaces.move.${task}.done`, kept)}</Notice>
  }
  if (state === 'done')
    return (
      <>
        <Notice kind={progress.changed > 0 ? 'warning' : 'success'}>
          {texts('console-spaces.move.done', { storage, time, ...sizes(progress, texts.locale) })}
          {progress.changed > 0 && ` ${texts('console-spaces.move.changed', { count: progress.changed })}`}
        </Notice>
        {progress.leftOut > 0 && <p>{texts('console-spaces.move.left-out', { count: progress.leftOut })}</p>}
        {!canSwitch && (
          <>
            <p>{texts('console-spaces.move.by-command')}</p>
            <code className={styles['command']} translate="no">
              {texts('console-spaces.move.command', { space: String(spaceId), storage: String(move.storageId) })}
            </code>
          </>
        )}
      </>
    )
  return (
    <>
      {error !== '' && <Notice kind="warning">{moveFault(texts, move)}</Notice>}
      {state === 'paused' && <Notice kind="info">{texts('console-spaces.move.paused')}</Notice>}
      <Progress progress={progress} isPaused={state === 'paused'} />
    </>
  )
}

function sizes({ filesDone, bytesDone }: SpaceMoveProgress, locale: string) {
  return { files: filesDone, size: formatSize(bytesDone, locale) }
}

function Progress({ progress, isPaused }: { readonly progress: SpaceMoveProgress; readonly isPaused: boolean }) {
  const texts = useTexts()
  const { files, filesDone, bytes, bytesDone, bytesPerSecond } = progress
  const { locale } = texts
  // An empty file counts as well, so files stand in where there are no bytes.
  const share = bytes > 0 ? bytesDone / bytes : files > 0 ? filesDone / files : 0
  const left = Math.max(0, bytes - bytesDone)
  const count = {
    ...{ done: filesDone.toLocaleString(locale), files: Math.max(files, filesDone).toLocaleString(locale) },
    ...{ size: formatSize(Math.min(bytesDone, bytes), locale), total: formatSize(bytes, locale) },
  }
  return (
    <div className={styles['progress']}>
      <ProgressBar label={texts('console-spaces.move.progress')} value={share} tone={isPaused ? 'paused' : 'active'} />
      <p>{texts(files === 0 ? 'console-spaces.move.counting' : 'console-spaces.move.count', count)}</p>
      {!isPaused && bytesPerSecond > 0 && (
        <p>
          {texts('console-spaces.move.rate', {
            rate: formatRate(bytesPerSecond, locale),
            time: formatDuration(left / bytesPerSecond, locale),
          })}
        </p>
      )}
    </div>
  )
}

function Corrupt({ progress: { corrupt } }: { readonly progress: SpaceMoveProgress }) {
  const texts = useTexts()
  return (
    <ul className={styles['named']}>
      {corrupt.map(({ keeper, path }, at) => (
        // Several earlier versions of one person have no path.
        <li key={`${keeper} ${path} ${at}`}>
          {path === '' ? (
            texts('console-spaces.move.hidden', { keeper })
          ) : (
            <span translate="no">{`${keeper}: ${path}`}</span>
          )}
        </li>
      ))}
    </ul>
  )
}

/** The space is on its new storage; the old one has its files until somebody says otherwise. */
export function SwitchedCard({ spaceId, name, state }: BeginMoveProps & { readonly state: SpaceMoveState }) {
  const texts = useTexts()
  const { run, failure } = useMoveCalls(spaceId)
  const [isAsking, setIsAsking] = useState(false)
  const { move, switched } = state
  return (
    <SectionCard title={texts('console-spaces.move.switched')}>
      <div className={styles['steps']}>
        <FailureNotice failure={failure} />
        {move?.task === 'free' && move.state === 'failed' && <Notice kind="error">{moveFault(texts, move)}</Notice>}
        <p>{texts('console-spaces.move.switched.text', { count: switched })}</p>
        <div className={styles['buttons']}>
          <Button onClick={() => setIsAsking(true)}>{texts('console-spaces.move.free')}</Button>
        </div>
      </div>
      {isAsking && (
        <ConfirmAction
          title={texts('console-spaces.move.free.title', { name })}
          text={texts('console-spaces.move.free.text')}
          submitLabel={texts('console-spaces.move.free')}
          onClose={() => setIsAsking(false)}
          onConfirm={() => run('free')}
        />
      )}
    </SectionCard>
  )
}

function useMoveCalls(spaceId: number) {
  const { api } = useServices()
  const refresh = useRefresh(moveKey(spaceId)[0])
  const [failure, setFailure] = useState<unknown>()
  const call = { params: { spaceId } }
  const calls = {
    pause: () => api.call(routes.adminSpaceMoves.pause, call),
    switch: () => api.call(routes.adminSpaceMoves.switch, call),
    cancel: () => api.call(routes.adminSpaceMoves.cancel, call),
    free: () => api.call(routes.adminSpaceMoves.free, call),
  }
  const run = (name: keyof typeof calls): void => {
    setFailure(undefined)
    calls[name]().then(() => refresh(), setFailure)
  }
  return { run, failure }
}
