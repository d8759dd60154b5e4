import { useEffect, useRef, useState } from 'react'
import { useTexts } from '../../../../lib/texts.tsx'
import { checkUnpackedSize } from '../archive/unpacked-size.ts'
import { Opening } from '../opening.tsx'
import { readSpan } from '../read-spans.ts'
import type { PreviewFile, ViewProps } from '../view-props.ts'
import { isDocumentReply } from './document-messages.ts'
import styles from './document.module.css'

/** A document that takes longer was made to. */
const MAX_MS = 30_000

/** A text document, drawn by a page of its own in a frame that can reach nothing. */
export function DocumentView({ file, onBroken }: ViewProps) {
  const texts = useTexts()
  const frame = useRef<HTMLIFrameElement>(null)
  const [isShown, setShown] = useState(false)
  const [fault, setFault] = useState<{ readonly error: unknown }>()
  const { url, size } = file
  useEffect(() => {
    const life = new AbortController()
    showDocument({ url, size }, { frame: frame.current, signal: life.signal })
      .then(() => setShown(true))
      .catch((error: unknown) => !life.signal.aborted && setFault({ error }))
    return () => life.abort()
  }, [url, size])
  useEffect(() => {
    if (fault !== undefined) onBroken(fault.error)
  }, [fault, onBroken])
  return (
    <>
      {!isShown && <Opening name={file.name} />}
      <iframe
        ref={frame}
        className={styles['frame']}
        hidden={!isShown}
        src="/viewer/document"
        sandbox="allow-scripts"
        title={texts('preview.content', { name: file.name })}
      />
    </>
  )
}

interface Stage {
  readonly frame: HTMLIFrameElement | null
  readonly signal: AbortSignal
}

/** Resolves when the document is seen. @throws ApiError from the server, Error when it is damaged, too large or takes too long */
async function showDocument({ url, size }: Pick<PreviewFile, 'url' | 'size'>, { frame, signal }: Stage): Promise<void> {
  const ended = AbortSignal.any([signal, AbortSignal.timeout(MAX_MS)])
  const ready = nextReply(frame, 'ready', ended)
  const source = { url, size, signal }
  const [content] = await Promise.all([checkUnpackedSize(source).then(() => readSpan(url, 0, size, signal)), ready])
  const shown = nextReply(frame, 'shown', ended)
  const { buffer } = Uint8Array.from(content)
  // The frame has no origin that could be named.
  frame?.contentWindow?.postMessage(buffer, '*', [buffer])
  await shown
}

function nextReply(frame: HTMLIFrameElement | null, kind: 'ready' | 'shown', signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(new Error('the document was not shown', { cause: signal.reason })))
    const onMessage = ({ source, data }: MessageEvent<unknown>): void => {
      if (source !== frame?.contentWindow || !isDocumentReply(data)) return
      if (data.kind === kind) resolve()
      else if (data.kind === 'failed') reject(new Error(data.reason))
    }
    addEventListener('message', onMessage, { signal })
  })
}
