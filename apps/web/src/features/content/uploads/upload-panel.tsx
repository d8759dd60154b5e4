import { BellPlus, ChevronDown, ChevronUp, X } from 'lucide-react'
import { type RefObject, useEffect, useRef } from 'react'
import type { BoundAction } from '../../../lib/actions.tsx'
import { coveredBottom } from '../../../lib/covered-bottom.ts'
import { formatDuration, formatRate, formatSize } from '../../../lib/formats.ts'
import { useStore } from '../../../lib/store.ts'
import { type Texts, useTexts } from '../../../lib/texts.tsx'
import { ActionIcon } from '../../../ui/action-button.tsx'
import { IconButton } from '../../../ui/button.tsx'
import { classNames } from '../../../ui/class-names.ts'
import { ProgressBar } from '../../../ui/progress-bar.tsx'
import { summaryTitle } from './summary-title.ts'
import type { UploadEngine } from './upload-engine.ts'
import { type UploadCommands, UploadRows } from './upload-rows.tsx'
import styles from './upload-panel.module.css'
import { share, type UploadsView } from './upload-views.ts'
import { useNoticeRequest } from './use-finish-notice.ts'

export interface UploadPanelProps {
  readonly engine: UploadEngine
  readonly actions: readonly BoundAction[]
  readonly commands: UploadCommands
}

/** The uploads at the bottom right. The panel can be closed only when nothing runs. */
export function UploadPanel({ engine, actions, commands }: UploadPanelProps) {
  const view = useStore(engine.view)
  const texts = useTexts()
  const { isExpanded, isClosed } = useStore(engine.panel)
  const ref = useRef<HTMLElement>(null)
  const askForNotice = useNoticeRequest()
  const isShown = view.jobs.length + view.ghosts.length > 0 && (view.isActive || !isClosed)
  useCoveredBottom(ref, isShown)
  if (!isShown) return null
  const toggle = isExpanded ? 'uploads.collapse' : 'uploads.expand'
  const Chevron = isExpanded ? ChevronDown : ChevronUp
  return (
    <section
      ref={ref}
      className={classNames(styles['panel'], isExpanded && styles['expanded'])}
      aria-label={texts('uploads.panel')}
      data-testid="upload-panel"
    >
      <header className={styles['head']}>
        <div className={styles['summary']}>
          <h2 className={styles['title']} data-testid="upload-summary">
            {summaryTitle(view, texts)}
          </h2>
          {view.isActive && view.totals.rate !== undefined && (
            <p className={styles['sub']} title={overallText(view, texts)}>
              {texts('uploads.rate-left', {
                rate: formatRate(view.totals.rate, texts.locale),
                left: formatDuration(view.totals.left, texts.locale),
              })}
            </p>
          )}
        </div>
        {actions
          .filter(({ isOffered }) => isOffered)
          .map((action) => (
            <ActionIcon key={action.name} action={action} />
          ))}
        {view.isActive && askForNotice !== undefined && (
          <IconButton
            label={texts('uploads.notify')}
            icon={<BellPlus size={18} aria-hidden="true" />}
            onClick={askForNotice}
          />
        )}
        <IconButton
          label={texts(toggle)}
          icon={<Chevron size={18} aria-hidden="true" />}
          aria-expanded={isExpanded}
          onClick={() => engine.panel.update((state) => ({ ...state, isExpanded: !isExpanded }))}
        />
        {!view.isActive && (
          <IconButton
            label={texts('uploads.close')}
            icon={<X size={18} aria-hidden="true" />}
            onClick={() => engine.closePanel()}
          />
        )}
        {(view.isActive || view.isPaused) && (
          <div className={styles['overall']}>
            <ProgressBar
              label={texts('uploads.title')}
              value={share(view)}
              tone={view.isPaused ? 'paused' : 'active'}
            />
          </div>
        )}
      </header>
      {isExpanded && <UploadRows engine={engine} commands={commands} />}
    </section>
  )
}

/** Lists leave room after their last rows, so that those can be scrolled free of the panel. */
function useCoveredBottom(ref: RefObject<HTMLElement | null>, isShown: boolean): void {
  useEffect(() => {
    const panel = ref.current
    if (panel === null) return
    const observer = new ResizeObserver(() => coveredBottom.set(panel.offsetHeight))
    observer.observe(panel)
    return () => {
      observer.disconnect()
      coveredBottom.set(0)
    }
  }, [ref, isShown])
}

function overallText({ totals }: UploadsView, texts: Texts): string {
  return texts('uploads.overall', {
    done: formatSize(totals.sent, texts.locale),
    total: formatSize(totals.bytes, texts.locale),
    rate: formatRate(totals.rate, texts.locale),
    left: formatDuration(totals.left, texts.locale),
  })
}
