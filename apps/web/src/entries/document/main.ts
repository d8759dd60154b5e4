import { renderAsync } from 'docx-preview'
import { type DocumentReply, isMailToDraw, type MailToDraw } from '../../features/content/preview/index.ts'
import './document.css'

/**
 * Draws one text document, or a mail. The page stands in a frame without an origin, without connections and under a policy of its own, so
 * whatever a document holds reaches neither the session nor the network.
 */
function reply(message: DocumentReply): void {
  parent.postMessage(message, '*')
}

async function draw(content: ArrayBuffer): Promise<void> {
  try {
    await renderAsync(content, document.body, document.head, {
      ignoreLastRenderedPageBreak: false,
      renderAltChunks: false,
      renderComments: false,
    })
    reply({ kind: 'shown' })
  } catch (error) {
    reply({ kind: 'failed', reason: String(error) })
  }
}

/** A mail, in place of whatever was drawn before. */
function drawMail({ html }: MailToDraw): void {
  const { documentElement } = new DOMParser().parseFromString(html, 'text/html')
  document.replaceChild(document.adoptNode(documentElement), document.documentElement)
  reply({ kind: 'shown', height: document.documentElement.scrollHeight })
}

addEventListener('message', ({ source, data }: MessageEvent<unknown>) => {
  if (source !== parent) return
  if (data instanceof ArrayBuffer) void draw(data)
  else if (isMailToDraw(data)) drawMail(data)
})
reply({ kind: 'ready' })
