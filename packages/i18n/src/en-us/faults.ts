import type { ImageFault, LicenceFault, NameFault, PasswordFault, SmtpReason } from '@godwit/contract'

/** Why a file or folder name is refused. */
export const nameFaultTexts: Readonly<Record<NameFault, string>> = {
  empty: 'The name is empty.',
  'too-long': 'The name is too long. Use at most 255 characters (85 Chinese characters).',
  'forbidden-character': 'The name must not contain \\ / : " * ? < > |.',
  'control-character': 'The name contains an invisible control character. Type it again.',
  'malformed-unicode': 'The name contains a broken character. Type it again.',
  'dot-name': 'The names . and .. cannot be used.',
  'trailing-dot-or-space': 'The name must not end with a dot or a space; Windows cannot open such files.',
  'windows-reserved': 'This name is reserved by Windows. Choose another one.',
  'reserved-by-product': 'Names that begin with .godwit are reserved. Choose another one.',
}

/** Why a password is refused. */
export const passwordFaultTexts: Readonly<Record<PasswordFault, string>> = {
  length: 'The password is too short or too long.',
  space: 'The password must not contain spaces.',
  chinese: 'The password must not contain Chinese characters.',
  account: 'The password must not contain the account name.',
  classes: 'Combine uppercase and lowercase letters, digits, and symbols.',
}

/** Why a mail could not be sent, and what to do. */
export const smtpReasonTexts: Readonly<Record<SmtpReason, string>> = {
  'unknown-host': 'The mail server’s name cannot be found. Check the host for typos.',
  'not-allowed': 'The mail server has an internal address. The operator can allow it with outbound.allow.',
  refused: 'Nothing answers at this host and port. Check the port: 465 for SSL/TLS, 587 for STARTTLS.',
  timeout:
    'The mail server does not answer in time. Check the host and port, and whether a firewall blocks the connection.',
  disconnected: 'The mail server ended the connection. Check whether the port matches the encryption.',
  'no-tls': 'The mail server does not support this encryption on this port. Use 465 with SSL/TLS or 587 with STARTTLS.',
  certificate: 'The mail server’s certificate is not trusted, has expired, or belongs to another name.',
  credentials: 'The mail server refused the account or password. Some providers need an app password.',
  'no-sign-in': 'The mail server offers no sign-in here. Choose an encryption, or leave the password empty.',
  'sender-refused': 'The mail server does not accept this account as the sender.',
  'recipient-refused': 'The mail server does not accept the recipient’s address.',
  'message-refused': 'The mail server refused the message itself.',
  'password-unreadable': 'The stored password can no longer be read. Enter it again.',
}

/** Why a licence is refused. */
export const licenceFaultTexts: Readonly<Record<LicenceFault, string>> = {
  form: 'This is not a license file, or part of it is missing. Use the file exactly as you received it.',
  'no-issuer': 'This server does not know who may issue licenses. The operator sets licence.issuerKey.',
  signature: 'The license was not signed by the issuer of this server, or was changed afterwards. Ask for a new file.',
  machine: 'This license is for another installation. Ask for one for the machine code of this installation.',
  'not-started': 'This license is not valid yet. Check its start date and the clock of the server.',
}

/** Why an image of the site is refused. */
export const imageFaultTexts: Readonly<Record<ImageFault, string>> = {
  size: 'The file is too large. Logos, watermarks: 512 KB, icons: 128 KB, backgrounds: 4 MB at most.',
  type: 'Choose a PNG or JPEG, or for the icon an ICO or PNG. SVG is not taken, because it can contain scripts.',
  dimensions:
    'The image has too many pixels. Logos: 160 × 70, icons: 64 × 64, backgrounds and watermarks: 1920 × 1080 at most.',
  broken: 'The file is damaged. Save the image again and choose the new file.',
}

/** For a number that the catalogue does not hold; `{code}` is the number. */
export const unknownError = 'Unknown error ({code})'

/** For an answer that is neither a success nor a business error. */
export const serverUnavailable = 'The server is unavailable (overloaded or faulty). Try again later.'

/** Of QUOTA_EXCEEDED, where the bytes are those of a group. */
export const groupFull = 'This group’s library is full. Delete something in it, or ask for more space for the group.'
