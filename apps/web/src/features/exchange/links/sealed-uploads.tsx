import type { LinkRecord } from '@godwit/contract'
import { FilePlus, FolderUp } from 'lucide-react'
import { useCallback, useEffect, useState } from 'react'
import { joinPath } from '../../../lib/paths.ts'
import { useServices } from '../../../lib/services.tsx'
import { useStore } from '../../../lib/store.ts'
import { useTexts } from '../../../lib/texts.tsx'
import { Button } from '../../../ui/button.tsx'
import { useFilesServices } from '../../content/files/index.ts'
import {
  Announcer,
  DropZone,
  loadUploadWork,
  type Sources,
  UploadEngine,
  UploadRows,
  useIntake,
  useTabProgress,
} from '../../content/uploads/index.ts'
import { type SecretKey, sealingFor, sealSources } from '../sealed/index.ts'
import styles from './links.module.css'

export interface SealedUploadsProps {
  readonly record: LinkRecord
  readonly link: SecretKey
  readonly onStored: () => void
}

/** Takes files for an encrypted share link; they leave encrypted, by the uploads that everything else goes by. */
export function SealedUploads({ record, link, onStored }: SealedUploadsProps) {
  const texts = useTexts()
  const { messages } = useServices()
  const engine = useOwnEngine(onStored)
  const view = useStore(engine.view)
  const { linkId, spaceId, groupId, shareServerPath, filename } = record
  const folder = joinPath(shareServerPath, filename[0] ?? '')
  useTabProgress(engine, texts('sealed.page'))
  const take = useCallback(
    async (target: string, sources: Sources) => {
      const sealed = await sealSources(sources, sealingFor(linkId, link))
      // What is there already is the very same file: its name says so.
      engine.add({ spaceId, groupId }, target, sealed, { standing: 'skip' })
    },
    [engine, linkId, link, spaceId, groupId],
  )
  const intake = useIntake(messages, take)
  return (
    <section className={styles['sealed']} aria-label={texts('sealed.add')}>
      <DropZone
        denied={undefined}
        folderAt={() => folder}
        labelOf={() => texts('sealed.page')}
        onDrop={intake.takeDrop}
        onDenied={() => undefined}
      >
        <div className={styles['sealedDrop']}>
          <h2>{texts('sealed.add')}</h2>
          <p className={styles['note']}>{texts('sealed.add.note')}</p>
          <div className={styles['buttons']}>
            <Button kind="solid" onClick={() => intake.pickFiles(folder)}>
              <FilePlus size={16} aria-hidden="true" />
              {texts('sealed.add.files')}
            </Button>
            <Button onClick={() => intake.pickFolder(folder)}>
              <FolderUp size={16} aria-hidden="true" />
              {texts('sealed.add.folder')}
            </Button>
          </div>
        </div>
      </DropZone>
      {view.jobs.length > 0 && (
        <>
          <Announcer view={view} />
          <UploadRows engine={engine} commands={{ cancel: (id) => void engine.cancel(id), forget: () => undefined }} />
        </>
      )}
    </section>
  )
}

/** Uploads of this page alone: the list of transfers would have to show their names. They stop with the page. */
function useOwnEngine(onStored: () => void): UploadEngine {
  const { api, clock } = useServices()
  const { operate } = useFilesServices()
  const [engine] = useState(
    () =>
      new UploadEngine({
        ...{ api, clock, operate, onStored },
        loadWork: loadUploadWork,
        askConflicts: () => Promise.resolve(undefined),
        onTakenBack: () => undefined,
      }),
  )
  useEffect(() => {
    engine.begin(true).catch(() => undefined) // What an earlier page began is found by the server as well.
    const wake = (): void => engine.wake()
    window.addEventListener('online', wake)
    return () => {
      window.removeEventListener('online', wake)
      engine.halt()
    }
  }, [engine])
  return engine
}
