import type { ClientOutcome, ClientView } from '@godwit/contract'
import { routes } from '@godwit/contract/table'
import { useEffect, useRef, useState } from 'react'
import type { Api } from '../../../lib/http.ts'
import { useServices } from '../../../lib/services.tsx'
import { type Texts, useTexts } from '../../../lib/texts.tsx'
import { Button } from '../../../ui/button.tsx'
import { Confirm, Dialog } from '../../../ui/dialog.tsx'
import { Form } from '../../../ui/form.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import { type HandOver, useClient } from '../../content/files/index.ts'
import styles from './clients.module.css'
import { StartClientDialog } from './start-client.dialog.tsx'

export interface HandOverWindowProps {
  readonly order: HandOver
  readonly onClose: () => void
}

/** Hands a transfer to the desktop client, and asks for what it lacks on the way: a running client, a path, a choice. */
export function HandOverWindow({ order, onClose }: HandOverWindowProps) {
  const client = useClient()
  const [isChosen, setChosen] = useState(order.kind !== 'suggest')
  if (order.kind === 'suggest' && !isChosen) {
    return <Suggestion {...order} onClient={() => setChosen(true)} onClose={onClose} />
  }
  if (client === undefined) return null
  // As soon as it has connected this goes on by itself.
  if (client.state === 'none') return <StartClientDialog client={client} onConnected={nothing} onClose={onClose} />
  return <Handing order={order} client={client} onClose={onClose} />
}

function nothing(): void {}

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
  const [isPathNeeded, setPathNeeded] = useState(order.kind === 'upload' && !client.canAsk)
  const device = client.deviceName === '' ? texts('hand-over.device') : client.deviceName
  const isGiven = useRef(false)
  useEffect(() => {
    if (isPathNeeded || isGiven.current) return
    isGiven.current = true
    give(api, order, []).then(
      (outcome) => {
        if (outcome === 'cannot-ask' && order.kind === 'upload') return setPathNeeded(true)
        const isTaken = outcome === 'queued' || outcome === 'asking'
        messages.notify(isTaken ? 'success' : 'error', texts(`hand-over.${outcome}`, { device }))
        onClose()
      },
      (error: unknown) => {
        messages.fail(error, texts)
        onClose()
      },
    )
  }, [api, order, isPathNeeded, messages, texts, device, onClose])
  return isPathNeeded ? <PathDialog order={order} device={device} onClose={onClose} /> : null
}

/** @throws ApiError why the server did not even ask the client */
async function give(api: Api, order: HandOver, paths: readonly string[]): Promise<ClientOutcome> {
  const { place } = order
  if (order.kind === 'upload') {
    const { folder, pick } = order
    return (await api.call(routes.clients.upload, { body: { ...place, folder, pick, paths: [...paths] } })).outcome
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
  const [path, setPath] = useState('')
  const [error, setError] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  const field = useRef<HTMLInputElement>(null)
  const wanted = path.trim()
  const submit = async (): Promise<void> => {
    if (wanted === '') return setError(texts('hand-over.path.missing'))
    setBusy(true)
    try {
      const outcome = await give(api, order, [wanted])
      if (outcome !== 'queued') return setError(refusalText(outcome, { texts, device }))
      messages.notify('success', texts('hand-over.queued', { device }))
      onClose()
    } catch (thrown) {
      setError(texts.failure(thrown))
    } finally {
      setBusy(false)
    }
  }
  return (
    <Dialog
      title={texts('hand-over.path.title')}
      closeLabel={texts('common.close')}
      onClose={onClose}
      initialFocus={field}
      foot={
        <>
          <Button onClick={onClose}>{texts('common.cancel')}</Button>
          <Button kind="solid" disabled={isBusy} onClick={() => void submit()}>
            {texts('hand-over.path.submit')}
          </Button>
        </>
      }
    >
      <p>{texts('hand-over.path.text', { device })}</p>
      <Form onSubmit={() => void submit()}>
        <TextField
          ref={field}
          label={texts('hand-over.path.label')}
          hint={texts('hand-over.path.hint')}
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
      <p className={styles['hint']}>{texts('hand-over.path.allow')}</p>
      <code className={styles['command']}>{texts('hand-over.path.command')}</code>
    </Dialog>
  )
}

function refusalText(
  outcome: Exclude<ClientOutcome, 'queued'>,
  { texts, device }: { readonly texts: Texts; readonly device: string },
): string {
  return texts(`hand-over.${outcome}`, { device })
}
