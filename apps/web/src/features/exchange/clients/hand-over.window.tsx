import type { ClientOutcome, ClientView } from '@godwit/contract'
import { leastEditionWith } from '@godwit/contract/foundation/editions'
import { routes } from '@godwit/contract/table'
import { useEffect, useRef, useState } from 'react'
import type { Api } from '../../../lib/http.ts'
import { useServices } from '../../../lib/services.tsx'
import { type Texts, useTexts } from '../../../lib/texts.tsx'
import { useCloseIfShown } from '../../../lib/use-is-shown.ts'
import { Button } from '../../../ui/button.tsx'
import { Confirm, Dialog } from '../../../ui/dialog.tsx'
import { Form } from '../../../ui/form.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import { type HandOver, useClient } from '../../content/files/index.ts'
import { LimitBox } from '../../foundation/site/index.ts'
import { useAccount } from '../../identity/auth/index.ts'
import styles from './clients.module.css'
import { StartClientDialog } from './start-client.dialog.tsx'

export interface HandOverWindowProps {
  readonly order: HandOver
  readonly onClose: () => void
}

/** Hands a transfer to the desktop client, and asks for what it lacks on the way: a running client, a path, a choice. */
export function HandOverWindow({ order, onClose }: HandOverWindowProps) {
  const client = useClient()
  const { service } = useAccount()
  const [isChosen, setChosen] = useState(order.kind !== 'suggest')
  if (order.kind === 'suggest' && !isChosen) {
    return <Suggestion {...order} onClient={() => setChosen(true)} onClose={onClose} />
  }
  if (order.kind === 'sync' && service.syncSwitch !== 1) return <SyncMissing order={order} onClose={onClose} />
  if (client === undefined) return null
  // As soon as it has connected this goes on by itself.
  if (client.state === 'none') return <StartClientDialog client={client} onConnected={nothing} onClose={onClose} />
  return <Handing order={order} client={client} onClose={onClose} />
}

function nothing(): void {}

type SyncOrder = Extract<HandOver, { readonly kind: 'sync' }>

function syncTitle({ direction }: SyncOrder, texts: Texts): string {
  return texts(direction === 'upload' ? 'action.sync' : 'action.sync-down')
}

/** The switch was turned on under another edition. */
function SyncMissing({ order, onClose }: { readonly order: SyncOrder; readonly onClose: () => void }) {
  const texts = useTexts()
  return (
    <Dialog title={syncTitle(order, texts)} closeLabel={texts('common.close')} onClose={onClose}>
      <LimitBox page={texts('hand-over.sync.limit')} edition={leastEditionWith('sync')} level={2} />
    </Dialog>
  )
}

interface SuggestionProps extends Extract<HandOver, { readonly kind: 'suggest' }> {
  readonly onClient: () => void
  readonly onClose: () => void
}

function Suggestion({ files, byBrowser, onClient, onClose }: SuggestionProps) {
  const texts = useTexts()
  return (
    <Confirm
      title={texts('hand-over.suggest.title')}
      text={files === undefined ? texts('hand-over.suggest.many') : texts('hand-over.suggest.text', { count: files })}
      onClose={onClose}
      foot={
        <>
          <Button
            onClick={() => {
              onClose()
              byBrowser()
            }}
          >
            {texts('hand-over.suggest.browser')}
          </Button>
          <Button kind="solid" onClick={onClient}>
            {texts('hand-over.suggest.client')}
          </Button>
        </>
      }
    />
  )
}

interface HandingProps extends HandOverWindowProps {
  readonly client: ClientView
}

function Handing({ order, client, onClose }: HandingProps) {
  const texts = useTexts()
  const { api, messages } = useServices()
  const close = useCloseIfShown(onClose)
  const [isPathNeeded, setPathNeeded] = useState(isOfComputer(order) && !client.canAsk)
  const device = client.deviceName === '' ? texts('hand-over.device') : client.deviceName
  const isGiven = useRef(false)
  useEffect(() => {
    if (isPathNeeded || isGiven.current) return
    isGiven.current = true
    give(api, order, []).then(
      (outcome) => {
        if (outcome === 'cannot-ask' && isOfComputer(order)) return setPathNeeded(true)
        const isTaken = outcome === 'queued' || outcome === 'asking'
        messages.notify(isTaken ? 'success' : 'error', outcomeText(order, outcome, { texts, device }))
        close()
      },
      (error: unknown) => {
        messages.fail(error, texts)
        close()
      },
    )
  }, [api, order, isPathNeeded, messages, texts, device, close])
  return isPathNeeded ? <PathDialog order={order} device={device} onClose={onClose} /> : null
}

/** It begins with a path of the client's computer. */
function isOfComputer({ kind }: HandOver): boolean {
  return kind === 'upload' || kind === 'sync'
}

/** @throws ApiError why the server did not even ask the client */
async function give(api: Api, order: HandOver, paths: readonly string[]): Promise<ClientOutcome> {
  const { place } = order
  if (order.kind === 'upload') {
    const { folder, pick } = order
    return (await api.call(routes.clients.upload, { body: { ...place, folder, pick, paths: [...paths] } })).outcome
  }
  if (order.kind === 'sync') {
    const { direction, folder } = order
    const body = { ...place, direction, folder, path: paths[0] ?? '' }
    return (await api.call(routes.clients.sync, { body })).outcome
  }
  return (await api.call(routes.clients.download, { body: { ...place, paths: [...order.paths] } })).outcome
}

interface PathDialogProps extends HandOverWindowProps {
  readonly device: string
}

/** The computer of the client shows no dialogs, so the path is typed here. */
function PathDialog({ order, device, onClose }: PathDialogProps) {
  const texts = useTexts()
  const { api, messages } = useServices()
  const close = useCloseIfShown(onClose)
  const [path, setPath] = useState('')
  const [error, setError] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  const field = useRef<HTMLInputElement>(null)
  const wanted = path.trim()
  const sync = order.kind === 'sync' ? order : undefined
  const isDown = sync?.direction === 'download'
  const submit = async (): Promise<void> => {
    if (wanted === '') return setError(texts('hand-over.path.missing'))
    setBusy(true)
    try {
      const outcome = await give(api, order, [wanted])
      const text = outcomeText(order, outcome, { texts, device })
      if (outcome !== 'queued') return setError(text)
      messages.notify('success', text)
      close()
    } catch (thrown) {
      setError(texts.failure(thrown))
    } finally {
      setBusy(false)
    }
  }
  return (
    <Dialog
      title={sync === undefined ? texts('hand-over.path.title') : syncTitle(sync, texts)}
      closeLabel={texts('common.close')}
      onClose={onClose}
      initialFocus={field}
      foot={
        <>
          <Button onClick={onClose}>{texts('common.cancel')}</Button>
          <Button kind="solid" disabled={isBusy} onClick={() => void submit()}>
            {texts(sync === undefined ? 'hand-over.path.submit' : 'hand-over.sync.submit')}
          </Button>
        </>
      }
    >
      <p className={styles['lead']}>
        {texts(sync === undefined ? 'hand-over.path.text' : `hand-over.sync.${sync.direction}.text`, { device })}
      </p>
      <Form onSubmit={() => void submit()}>
        <TextField
          ref={field}
          label={texts(sync === undefined ? 'hand-over.path.label' : 'hand-over.sync.label')}
          hint={texts(sync === undefined ? 'hand-over.path.hint' : 'hand-over.sync.hint')}
          required
          maxLength={4096}
          spellCheck={false}
          autoComplete="off"
          value={path}
          error={error}
          onChange={({ target }) => {
            setPath(target.value)
            setError(undefined)
          }}
        />
      </Form>
      <p className={styles['hint']}>{texts(isDown ? 'hand-over.sync.download.allow' : 'hand-over.path.allow')}</p>
      <code className={styles['command']}>
        {texts(isDown ? 'hand-over.sync.download.command' : 'hand-over.path.command')}
      </code>
    </Dialog>
  )
}

function outcomeText(
  order: HandOver,
  outcome: ClientOutcome,
  { texts, device }: { readonly texts: Texts; readonly device: string },
): string {
  if (order.kind === 'sync') {
    const { direction } = order
    if (outcome === 'queued' || outcome === 'asking') return texts(`hand-over.sync.${direction}.${outcome}`, { device })
    if (outcome === 'not-allowed' && direction === 'download')
      return texts('hand-over.sync.download.not-allowed', { device })
  }
  return texts(`hand-over.${outcome}`, { device })
}
