import type { LinkInfo, RequestState } from '@godwit/contract'
import { visits } from '@godwit/contract/table/visits'
import { useQueryClient } from '@tanstack/react-query'
import { FilePlus, FolderPlus, FolderUp, UploadCloud } from 'lucide-react'
import { useCallback, useEffect, useState } from 'react'
import { formatMinute } from '../../../lib/formats.ts'
import { lazyModule, lazyPart } from '../../../lib/lazy.tsx'
import { nameOf } from '../../../lib/paths.ts'
import { useServices } from '../../../lib/services.tsx'
import { useStore } from '../../../lib/store.ts'
import { useTexts } from '../../../lib/texts.tsx'
import { useKeyedState } from '../../../lib/use-keyed-state.ts'
import { Button } from '../../../ui/button.tsx'
import { NewFolderDialog } from '../../../ui/new-folder-dialog.tsx'
import { Announcer, DropZone, type Sources, useIntake, useTabProgress } from '../../content/uploads/index.ts'
import { BroughtFiles } from './brought-files.tsx'
import { Receipt } from './receipt.tsx'
import { VISIT_PLACE } from './visit-operations.ts'
import { uploadsOf } from './visit-uploads.ts'
import { useVisitAddress } from './visit-address.ts'
import { useVisitRequest } from './visit-queries.ts'
import type { Visit } from './visit.ts'
import { VisitTrail } from './visit-trail.tsx'
import styles from './visits.module.css'

const InviteUploads = lazyPart(
  lazyModule(() => import('./invite-uploads.tsx'), 'uploads'),
  (module) => module.InviteUploads,
)

const RequestedFiles = lazyPart(
  lazyModule(() => import('./requested-files.tsx')),
  (module) => module.RequestedFiles,
)

const GuestForm = lazyPart(
  lazyModule(() => import('./guest-form.tsx')),
  (module) => module.GuestFormCard,
)

export interface InviteProps {
  readonly visit: Visit
  readonly info: LinkInfo
  /** Of an encrypted link: encrypts what was chosen before anything of it leaves. */
  readonly seal?: (sources: Sources) => Promise<Sources>
}

/** An invite link: a place to bring files to, what is on its way, and a receipt when everything is there. */
export function Invite({ visit, info, seal }: InviteProps) {
  const texts = useTexts()
  const { messages } = useServices()
  const { folder, go } = useVisitAddress()
  const engine = useVisitUploads(visit)
  const view = useStore(engine.view)
  const refresh = useRefreshBrought(visit)
  const request = useVisitRequest(visit).data?.state
  const [isNaming, setNaming] = useKeyedState(folder, false)
  const [isEntered, setEntered] = useState(info.guestForm === null)
  useEffect(() => engine.sealFor(info.webEncryptedKey), [engine, info.webEncryptedKey])
  useTabProgress(engine, info.title)
  const take = useCallback(
    async (target: string, sources: Sources) => {
      const count = sources.files.length + sources.emptyFolders.length + sources.unreadable.length
      if (count === 0) messages.notify('info', texts('drop.nothing'))
      else engine.add(VISIT_PLACE, target, seal === undefined ? sources : await seal(sources))
    },
    [engine, messages, texts, seal],
  )
  const intake = useIntake(messages, take)
  const openFolder = (path: string): void => go({ folder: path, view: undefined })
  const makeFolder = async (name: string): Promise<void> => {
    const made = await visit.api.call(visits.mkdir, { body: { folder, name } })
    refresh()
    openFolder(made.path)
  }
  return (
    <>
      <Hero info={info} />
      {info.guestForm !== null && !isEntered ? (
        <GuestForm visit={visit} form={info.guestForm} account={info.shareAccount} onEntered={() => setEntered(true)} />
      ) : (
        <>
          <Receipt
            view={view}
            account={info.shareAccount}
            missing={request == null ? [] : missingIn(request)}
            insists={request?.insist === true}
            onMore={() => engine.clear()}
          />
          {request != null && <RequestedFiles state={request} />}
          <section className={styles['drop']} aria-label={texts('share.invite.drop')}>
            <DropZone
              denied={undefined}
              folderAt={() => folder}
              labelOf={(path) => (path === '/' ? info.shareAccount : nameOf(path))}
              onDrop={intake.takeDrop}
              onDenied={() => undefined}
            >
              {seal === undefined && (
                <VisitTrail folder={folder} rootName={texts('share.invite.root')} onOpen={openFolder} />
              )}
              <Ways
                intake={intake}
                folder={folder}
                onNewFolder={seal === undefined ? () => setNaming(true) : undefined}
              />
            </DropZone>
          </section>
          {view.jobs.length + view.ghosts.length > 0 && <InviteUploads engine={engine} />}
          {seal === undefined && <BroughtFiles visit={visit} folder={folder} onOpen={openFolder} />}
        </>
      )}
      <Announcer view={view} />
      {isNaming && <NewFolderDialog isTaken={() => false} onCreate={makeFolder} onClose={() => setNaming(false)} />}
    </>
  )
}

interface WaysProps {
  readonly intake: ReturnType<typeof useIntake>
  readonly folder: string
  /** Absent where folders are not made by themselves. */
  readonly onNewFolder: (() => void) | undefined
}

/** The ways to bring something. */
function Ways({ intake, folder, onNewFolder }: WaysProps) {
  const texts = useTexts()
  return (
    <div className={styles['target']}>
      <UploadCloud size={40} strokeWidth={1.5} aria-hidden="true" />
      <p className={styles['call']}>{texts('share.invite.drop')}</p>
      <p className={styles['note']}>{texts('share.invite.note')}</p>
      <div className={styles['ways']}>
        <Button kind="solid" size="large" onClick={() => intake.pickFiles(folder)}>
          <FilePlus size={18} aria-hidden="true" />
          {texts('share.invite.files')}
        </Button>
        <Button size="large" onClick={() => intake.pickFolder(folder)}>
          <FolderUp size={18} aria-hidden="true" />
          {texts('share.invite.folder')}
        </Button>
        {onNewFolder !== undefined && (
          <Button size="large" onClick={onNewFolder}>
            <FolderPlus size={18} aria-hidden="true" />
            {texts('action.new-folder')}
          </Button>
        )}
      </div>
      {intake.scanned !== undefined && <p role="status">{texts('drop.scanning', { count: intake.scanned })}</p>}
    </div>
  )
}

/** Names of what is still to come. */
function missingIn({ items }: RequestState): readonly string[] {
  return items.filter(({ required, arrived, count }) => required && arrived < count).map(({ name }) => name)
}

/** Who asks for files, what for, and until when. */
function Hero({ info }: Pick<InviteProps, 'info'>) {
  const texts = useTexts()
  return (
    <section className={styles['hero']} aria-labelledby="share-title">
      <div className={styles['words']}>
        <h1 id="share-title">{texts('share.invite.title', { account: info.shareAccount })}</h1>
        {info.description !== '' && <p className={styles['description']}>{info.description}</p>}
        {info.shareExpireTime !== 0 && (
          <p className={styles['note']}>{texts('share.expires', { time: formatMinute(info.shareExpireTime) })}</p>
        )}
      </div>
    </section>
  )
}

/** The uploads of this visit, at work while the page is on the screen. */
function useVisitUploads(visit: Visit) {
  const { clock } = useServices()
  const refresh = useRefreshBrought(visit)
  const { engine, arrivals } = uploadsOf(visit, clock)
  const arrived = useStore(arrivals)
  useEffect(refresh, [refresh, arrived])
  useEffect(() => {
    // What an earlier page began is a convenience: without it the same file, brought again, still goes on.
    engine.begin(true).catch(() => undefined)
    const wake = (): void => engine.wake()
    window.addEventListener('online', wake)
    return () => {
      window.removeEventListener('online', wake)
      engine.halt()
    }
  }, [engine])
  return engine
}

function useRefreshBrought({ linkId }: Visit) {
  const client = useQueryClient()
  return useCallback(() => void client.invalidateQueries({ queryKey: ['visit', linkId] }), [client, linkId])
}
