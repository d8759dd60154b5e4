import type { TestedMail } from '@godwit/contract'
import type { Locale } from '@godwit/i18n'
import type { MailTemplate, MailWords } from '@godwit/i18n/mail-texts'
import type { Log } from '../../kernel/context.ts'
import { VaultError } from '../../kernel/crypto/index.ts'
import type { Db, Tx } from '../../kernel/db/index.ts'
import { recordEvent } from '../../kernel/events/index.ts'
import { AppError } from '../../kernel/errors.ts'
import { TryLater, type AnyJob, type Job, type JobHandlers, type Queue, type Run } from '../../kernel/queue/index.ts'
import { renderMail, type MailContent, type MailHeader, type MailTheme } from './mail.render.ts'
import { hasSender, serverOf, SYSTEM, type SendersDeps } from './senders.service.ts'
import { deliver, SmtpError, type Message, type SmtpDeps, type SmtpServer } from './smtp.ts'

export interface MailerDeps extends SendersDeps, SmtpDeps {
  readonly queue: Queue
  readonly log: Log
  readonly newMessageId: () => string
  /** Address of this installation that mails carry. Never taken from a request. */
  readonly url: () => string
  readonly productName: (locale: Locale) => Promise<string>
  /** What mails begin with; undefined where the site wants none. */
  readonly header?: ((locale: Locale) => Promise<MailHeader | undefined>) | undefined
  /** The site's words for a mail. Absent: the shipped ones. */
  readonly words?: (locale: Locale, template: MailTemplate) => Promise<MailWords>
}

export interface Mail extends MailContent {
  /** One address; '' sends nothing, for callers who must not show whether there is anybody. */
  readonly to: string
  /** Whose sender; default the system's. */
  readonly ownerId?: string
  /** Page that the mail leads to, such as `/notification`. */
  readonly path?: string
  /** For how long it makes sense to try. */
  readonly deadlineMs?: number
  /** One of many alike, which waits behind no other mail and before none. */
  readonly isBulk?: boolean
  /** Whether `mail.tried` reports each try. */
  readonly isFollowed?: boolean
}

/** What a test mail says. */
export interface TestContent extends Partial<Omit<MailContent, 'locale'>>, Pick<MailContent, 'locale'> {
  readonly path?: string
  /** Words that need not be those in force. */
  readonly words?: MailWords
}

/** Sends mails by the job queue: what was queued is sent once the mail server takes it, or is seen to have failed. */
export interface Mailer {
  /** Whether the system has a sender, as the transaction sees it when one is given. */
  isConfigured(tx?: Tx): Promise<boolean>
  /** @throws AppError SYSTEM_MAIL_NOT_CONFIGURED */
  requireConfigured(): Promise<void>
  /** Within `tx`, it commits with what it reports. @returns id of its job */
  send(mail: Mail, tx?: Tx): Promise<string>
  /** A mail with the words in force, as its reader would have it; sends nothing. */
  draw(mail: MailContent & { readonly path: string }): Promise<DrawnMail>
  /**
   * Sends a test mail now, by a server that need not be saved.
   * @throws AppError SMTP_FAILED, MAIL_ACCOUNT_INVALID with stage, reason and the server's answer
   */
  test(server: SmtpServer, to: string, content: TestContent): Promise<TestedMail>
}

/** In the colors of either theme, where the subject and the plain text are the same. */
export type DrawnMail = Readonly<Record<'subject' | 'text' | 'html' | 'htmlDark', string>>

/** Kind of the jobs; a failed one publishes `job.failed`, with its {@link MailProgress}. */
export const MAIL_JOB = 'mail.send'
/** The same for mails to many people: in a lane of their own, they hold up no other mail. */
export const BULK_MAIL_JOB = 'mail.bulk'
/** The same for mails by senders of people's own: whoever names a mail server decides how long a mail takes there. */
const OWN_MAIL_JOB = 'mail.own'
const DEADLINE_MS = 24 * 3_600_000
const FIRST_PAUSE_MS = 5_000
const LONGEST_PAUSE_MS = 30 * 60_000
/** For a mail under way when the server stops: what was taken and not answered yet would be sent twice. */
const FAREWELL_MS = 5_000
const PURPOSE = 'mail-job'

/** What the queue shows of a mail: never its text. */
export interface MailProgress {
  readonly recipient: string
  readonly tries: number
  readonly stage?: string
  readonly reason?: string
  readonly serverAnswer?: string
}

/** `refused` is final; after `waiting` it is tried again, until `job.failed` says that its time is over. */
export type MailOutcome = 'sent' | 'waiting' | 'refused'

declare module '../../kernel/events/outbox.ts' {
  interface DurableEvents {
    /** A mail whose sender follows it was handed to the mail server, or was not. */
    readonly 'mail.tried': {
      readonly jobId: string
      readonly outcome: MailOutcome
      /** '' when it was sent. */
      readonly reason: string
      /** As the mail server said it. */
      readonly answer: string
      readonly at: number
    }
  }
}

/** The text of a mail may hold a code, so it waits sealed. */
interface MailPayload {
  readonly sealed: string
}

declare module '../../kernel/queue/jobs.ts' {
  interface Jobs {
    readonly [MAIL_JOB]: { readonly payload: MailPayload; readonly progress: MailProgress }
    readonly [BULK_MAIL_JOB]: { readonly payload: MailPayload; readonly progress: MailProgress }
    readonly [OWN_MAIL_JOB]: { readonly payload: MailPayload; readonly progress: MailProgress }
  }
}

export function mailJobs(deps: MailerDeps): JobHandlers {
  return { [MAIL_JOB]: (job, run) => sendQueued(deps, job, run) }
}

export function bulkMailJobs(deps: MailerDeps): JobHandlers {
  return { [BULK_MAIL_JOB]: (job, run) => sendQueued(deps, job, run) }
}

export function ownMailJobs(deps: MailerDeps): JobHandlers {
  return { [OWN_MAIL_JOB]: (job, run) => sendQueued(deps, job, run) }
}

type MailKind = typeof MAIL_JOB | typeof BULK_MAIL_JOB | typeof OWN_MAIL_JOB

/** Whether a job is a mail, of whichever lane. */
export function isMailJob(kind: string): kind is MailKind {
  return kind === MAIL_JOB || kind === BULK_MAIL_JOB || kind === OWN_MAIL_JOB
}

export function isMail(job: AnyJob): job is Extract<AnyJob, { readonly kind: MailKind }> {
  return isMailJob(job.kind)
}

function kindOf({ isBulk, ownerId = SYSTEM }: Pick<Mail, 'isBulk' | 'ownerId'>): MailKind {
  if (ownerId !== SYSTEM) return OWN_MAIL_JOB
  return isBulk === true ? BULK_MAIL_JOB : MAIL_JOB
}

export function createMailer(deps: MailerDeps): Mailer {
  const isConfigured = (tx?: Tx) => hasSender({ ...deps, db: tx ?? deps.db }, SYSTEM)
  return {
    isConfigured,
    async requireConfigured() {
      if (!(await isConfigured())) throw new AppError('SYSTEM_MAIL_NOT_CONFIGURED')
    },
    async send(mail, tx) {
      const payload: MailPayload = { sealed: deps.vault.seal(PURPOSE, JSON.stringify(mail)) }
      const progress: MailProgress = { recipient: mail.to, tries: 0 }
      const ownerId = mail.ownerId ?? SYSTEM
      const deadlineMs = mail.deadlineMs ?? DEADLINE_MS
      return (await deps.queue.add({ kind: kindOf(mail), ownerId, payload, progress, deadlineMs }, tx)).id
    },
    draw: async (mail) => drawMail(deps, { ...mail, words: await deps.words?.(mail.locale, mail.template) }),
    async test(server, to, { template = 'test', values = {}, locale, path = '', words }) {
      const begun = deps.clock.monotonic()
      try {
        const composing = { messageId: deps.newMessageId(), words: words ?? (await deps.words?.(locale, template)) }
        const message = await compose(deps, { template, values, locale, path, to }, composing)
        const serverAnswer = await deliver(deps, await named(deps, server, locale), message)
        return { recipient: to, serverAnswer, durationMs: Math.round(deps.clock.monotonic() - begun) }
      } catch (thrown) {
        throw thrown instanceof SmtpError ? toAppError(thrown) : thrown
      }
    },
  }
}

async function sendQueued(
  deps: MailerDeps,
  job: Job<MailPayload, MailProgress>,
  run: Run<MailPayload, MailProgress>,
): Promise<MailProgress> {
  const progress = { recipient: job.progress.recipient, tries: job.progress.tries + 1 }
  if (job.payload.sealed === '' || job.progress.recipient === '') return job.progress
  let isFollowed = false
  try {
    const mail = JSON.parse(deps.vault.open(PURPOSE, job.payload.sealed)) as Mail
    isFollowed = mail.isFollowed === true
    const server = await serverOf(deps, job.ownerId)
    if (server === undefined) throw new AppError('SYSTEM_MAIL_NOT_CONFIGURED')
    const words = await deps.words?.(mail.locale, mail.template)
    const message = await compose(deps, mail, { messageId: job.id, words })
    const stop = later(run.signal, FAREWELL_MS)
    const serverAnswer = await deliver(deps, await named(deps, server, mail.locale), message, stop)
    if (isFollowed) await reportTry(deps, job.id, { outcome: 'sent', reason: '', answer: serverAnswer })
    // A code that was sent is not kept, not even sealed.
    await run.checkpoint({ sealed: '' })
    return { ...progress, serverAnswer }
  } catch (thrown) {
    const failure = failureOf(thrown)
    if (failure === undefined) throw thrown
    const { stage, reason, serverAnswer } = failure
    run.report({ ...progress, stage, reason, serverAnswer })
    const outcome = failure.isFinal ? 'refused' : 'waiting'
    if (isFollowed) await reportTry(deps, job.id, { outcome, reason, answer: serverAnswer })
    const pause = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 3 ** (progress.tries - 1))
    if (!failure.isFinal) throw new TryLater(pause, { cause: thrown })
    throw toAppError(failure)
  }
}

/** Aborts so long after another signal did. */
function later(signal: AbortSignal, afterMs: number): AbortSignal {
  const stop = new AbortController()
  const begin = (): void => void setTimeout(() => stop.abort(signal.reason), afterMs).unref()
  if (signal.aborted) begin()
  else signal.addEventListener('abort', begin, { once: true })
  return stop.signal
}

interface Try {
  readonly outcome: MailOutcome
  readonly reason: string
  readonly answer: string
}

function reportTry({ db, clock }: { readonly db: Db } & Pick<MailerDeps, 'clock'>, jobId: string, what: Try) {
  return recordEvent({ tx: db, clock }, 'mail.tried', { jobId, ...what, at: clock.now() })
}

/** What a mail server or a lost key can cause; undefined for a fault of ours. */
function failureOf(thrown: unknown): SmtpError | undefined {
  if (thrown instanceof SmtpError) return thrown
  if (!(thrown instanceof VaultError)) return undefined
  const facts = { stage: 'sign-in', reason: 'password-unreadable', serverAnswer: '', isFinal: true } as const
  return new SmtpError(facts, { cause: thrown })
}

function toAppError(failure: SmtpError): AppError {
  const code = failure.reason === 'credentials' ? 'MAIL_ACCOUNT_INVALID' : 'SMTP_FAILED'
  const { stage, reason, serverAnswer } = failure
  return new AppError(code, { stage, reason, serverAnswer }, { cause: failure })
}

interface Composing {
  readonly messageId: string
  readonly words: MailWords | undefined
}

async function compose(deps: MailerDeps, mail: Mail, { messageId, words }: Composing): Promise<Message> {
  const product = await deps.productName(mail.locale)
  const header = await deps.header?.(mail.locale)
  const rendered = renderMail(mail, { product, url: deps.url(), path: mail.path ?? '', header }, { words })
  return { ...rendered, to: mail.to, messageId, date: new Date(deps.clock.now()) }
}

/** A mail as it would be sent, with its page at the address of this installation. */
export async function drawMail(
  { url, productName, header }: Pick<MailerDeps, 'url' | 'productName' | 'header'>,
  { words, path, ...content }: MailContent & { readonly path: string; readonly words: MailWords | undefined },
): Promise<DrawnMail> {
  const { locale } = content
  const frame = { product: await productName(locale), url: url(), path, header: await header?.(locale) }
  const drawn = (theme: MailTheme) => renderMail(content, frame, { words, theme })
  const { subject, text, html } = drawn('light')
  return { subject, text, html, htmlDark: drawn('dark').html }
}

async function named(deps: MailerDeps, server: SmtpServer, locale: Locale): Promise<SmtpServer> {
  return server.fromName === '' ? { ...server, fromName: await deps.productName(locale) } : server
}
