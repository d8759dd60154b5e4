import { useMemo, useRef, useState } from 'react'
import { useStore } from '../../../lib/store.ts'
import { useTexts } from '../../../lib/texts.tsx'
import { useWindowing } from '../../../lib/use-windowing.ts'
import { FailuresDialog } from './lazy-failures.tsx'
import type { UploadEngine } from './upload-engine.ts'
import styles from './upload-panel.module.css'
import { GhostRow, JobRow } from './upload-row.tsx'
import type { Ghost } from './upload-views.ts'

const UPLOAD_ROW_HEIGHT = 60

/** What is asked or announced before it happens; see `Uploads`. */
export interface UploadCommands {
  readonly cancel: (id: number) => void
  readonly forget: (ghost: Ghost) => void
}

const OVERSCAN = 3

export interface UploadRowsProps {
  readonly engine: UploadEngine
  readonly commands: UploadCommands
}

/** A row for each upload, those in sight drawn; what of a folder failed can be looked at. */
export function UploadRows({ engine, commands }: UploadRowsProps) {
  const texts = useTexts()
  const view = useStore(engine.view)
  const [failedJob, showFailures] = useState<number>()
  const ref = useRef<HTMLDivElement>(null)
  const rows = useMemo(() => [...view.jobs, ...view.ghosts], [view.jobs, view.ghosts])
  const windowing = useWindowing(ref, { count: rows.length, rowHeight: UPLOAD_ROW_HEIGHT, overscan: OVERSCAN })
  const shown = rows.slice(windowing.first, windowing.end)
  return (
    <div
      className={styles['list']}
      ref={ref}
      data-testid="upload-list"
      aria-label={texts('uploads.panel')}
      role="group"
    >
      <ul className={styles['rows']} style={{ height: windowing.height }}>
        {shown.map((row, at) => {
          const top = (windowing.first + at) * UPLOAD_ROW_HEIGHT
          return 'uploadId' in row ? (
            <GhostRow key={row.uploadId} ghost={row} top={top} onForget={commands.forget} />
          ) : (
            <JobRow
              key={row.id}
              job={row}
              top={top}
              engine={engine}
              onCancel={commands.cancel}
              onShowFailures={showFailures}
            />
          )
        })}
      </ul>
      {failedJob !== undefined && (
        <FailuresDialog
          failures={engine.failures(failedJob)}
          onRetry={() => {
            showFailures(undefined)
            engine.retry(failedJob)
          }}
          onClose={() => showFailures(undefined)}
        />
      )}
    </div>
  )
}
