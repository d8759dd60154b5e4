import { useEffect, useRef, useState } from 'react'
import { useTextBundle, useTexts } from '../../../lib/texts.tsx'
import { isDocumentReply, type MailToDraw } from './document/document-messages.ts'
import styles from './drawn-mail.module.css'

/** A mail is seen whole, unless it is longer. */
const HEIGHT_MAX = 900
const BORDERS = 2

export interface DrawnMailProps {
  readonly mail: Readonly<Record<'subject' | 'text' | 'html' | 'htmlDark', string>>
}

/** A mail as its reader would have it: in light and dark, and as plain text. */
export function DrawnMail(props: DrawnMailProps) {
  return useTextBundle('previews') ? <Drawn {...props} /> : null
}

function Drawn({ mail: { subject, text, html, htmlDark } }: DrawnMailProps) {
  const texts = useTexts()
  return (
    <>
      <p className={styles['subject']}>{subject}</p>
      <div className={styles['mails']}>
        <MailFrame title={texts('preview.mail.light')} html={html} />
        <MailFrame title={texts('preview.mail.dark')} html={htmlDark} />
      </div>
      <h3>{texts('preview.mail.plain')}</h3>
      <pre className={styles['plain']}>{text}</pre>
    </>
  )
}

/** The mail itself, drawn by the page for documents of others: in a frame that can reach nothing. */
function MailFrame({ title, html }: { readonly title: string; readonly html: string }) {
  const frame = useRef<HTMLIFrameElement>(null)
  const [isReady, setReady] = useState(false)
  const [height, setHeight] = useState<number>()
  useEffect(() => {
    const life = new AbortController()
    const onMessage = ({ source, data }: MessageEvent<unknown>): void => {
      if (source !== frame.current?.contentWindow || !isDocumentReply(data)) return
      if (data.kind === 'ready') setReady(true)
      if (data.kind === 'shown' && data.height !== undefined) setHeight(Math.min(data.height, HEIGHT_MAX) + BORDERS)
    }
    addEventListener('message', onMessage, { signal: life.signal })
    return () => life.abort()
  }, [])
  useEffect(() => {
    const mail: MailToDraw = { kind: 'mail', html }
    // The frame has no origin that could be named.
    if (isReady) frame.current?.contentWindow?.postMessage(mail, '*')
  }, [isReady, html])
  return (
    <iframe
      ref={frame}
      className={styles['mail']}
      style={{ height }}
      sandbox="allow-scripts"
      title={title}
      src="/viewer/document"
    />
  )
}
