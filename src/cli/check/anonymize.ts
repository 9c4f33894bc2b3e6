import { isIP } from 'node:net';
import { domainToASCII, domainToUnicode } from 'node:url';
import { shiftDate } from '../../../sandbox/src/recording.ts';
import { maxDepth } from '../../api/answer.ts';

// Keeps documented field names, values that fit the pattern of their field, and state words such as `pending`, unless the account uses the
// word as a name. Replaces everything else, because it may be a name.

const units = '[KMGTPE]i?B?|B|bytes?|[КМГТПЭ]и?Б|Б|байта?|байтов';
const number = new RegExp(`^\\s*[+-]?\\d[\\d\\s.,]*(?:e[+-]?\\d+)?\\s*(?:${units})?\\s*$|^(?:unlimited|∞)$`, 'iu');
const date = /^(?:\d{4}-\d{2}-\d{2}(?: \d{2}:\d{2}:\d{2})?|0)$/;
const schedule = /^[\d*/,-]+$/;
const version =
  /^ *(?:v|(?:Apache|nginx|PHP|Python|Perl|MySQL|MariaDB)[ /])?\d+(?:\.\d+){0,2}(?:-\d+)*(?:-beget|-log)?(?: \((?:Unix|Linux)\))?$/i;
/** Matches error codes. Account names do not have this form. */
const code = /^(?:[A-Z]+(?:_[A-Z]+)+|\d{1,6})$/;
const sections = 'user|backup|mysql|domain|dns|site|ftp|mail|cron|stat';
const errorText = new RegExp(
  `^(?:Username/password incorrect|Incorrect login or password|No such method|Cannot access method (?:${sections})|Method disabled|Incorrect input data|Failed to get DNS records|Cannot parse the JSON input params|Login length cannot be greater than 12 characters)$`,
);

const fieldsByPattern: readonly (readonly [RegExp, string])[] = [
  [
    number,
    `id site_id domain_id backup_id row_number size disk_usage disk_limit cp load value cpu_time ttl priority preference weight port
    flags user_sites plan_site user_domains plan_domain user_mysqlsize plan_mysql user_quota plan_quota user_ftp plan_ftp user_mail
    plan_mail plan_cp user_rate_current user_rate_month user_rate_year user_is_year_plan user_balance user_days_to_block server_memory
    server_memorycurrent server_loadaverage server_uptime auto_renew can_renew is_under_control is_beget_dns is_subdomain is_frozen
    is_hidden is_dir set_type ssl redis_session http_version spam_filter spam_filter_status price price_renew price_idn
    price_idn_renew min_period max_period`,
  ],
  [date, 'date date_add date_register date_expire date_create mtime'],
  [schedule, 'minutes hours days months weekdays'],
  [
    version,
    `php_version allowed_versions server_apache_version server_mysql_version server_nginx_version server_perl_version
    server_php_version server_python_version`,
  ],
  [code, 'error_code'],
  [errorText, 'error_text message'],
];

/** Fields that have few possible values, each with a pattern of the known values. The documentation of the API does not list all values. */
const stateFields: ReadonlyMap<string, RegExp> = new Map([
  ['status', /^(?:success|error|pending|new|canceled)$/],
  ['type', /^(?:(?:download|restore)(?:_mysql|_file)?|[A-Z]+(?:_[A-Z]+)+|A|AAAA|CAA|CNAME|DNS|MX|NS|SRV|TXT)$/],
  ['operation', /^(?:download|restore)$/],
  ['registrar', /^(?:beget|directi)$/],
  ['registrar_status', /^(?:delegated|undelegated|not_active)$/],
  ['register_order_status', /^(?:FINISH|new|registred|delete|0)$/],
  ['renew_order_status', /^(?:pending|delete|canceled|error|success|0)$/],
  ['ssl_status', /^(?:none|wle_set)$/],
  ['nginx_template', /^default$/],
  ['forward_mail_status', /^(?:no_forward|forward|forward_and_delete)$/],
  ['cgi', /^(?:enabled|disabled)$/],
  ['tag', /^(?:issue|issuewild|iodef)$/],
]);

/** Matches words that may be states that `stateFields` does not list. Words with digits do not match, because they are often logins. */
const stateWord = /^(?=.{1,30}$)[a-z]{2,}(?:[_-][a-z]+)*$/i;

const patterns: ReadonlyMap<string, RegExp> = new Map(
  fieldsByPattern.flatMap(([pattern, fields]) => fields.split(/\s+/).map((field) => [field, pattern] as const)),
);

/** Documented fields whose values are names, texts, lists or objects. */
const otherFields: ReadonlySet<string> = new Set(
  `answer result errors tariff plan_name server server_name server_cpu_name user user_bash name accesses path domains fqdn
  full_fqdn domain login homedir mailbox forward_mailbox command register_order_comment target_list size_days records A AAAA CAA CNAME
  DNS DNS_IP MX NS SRV TXT address exchange txtdata cname nsdname target db_name zone`.split(/\s+/),
);

/** A value that is longer than this is replaced, because all documented values are shorter. */
const maxKept = 80;

/** Names of the local machine. Recordings keep them, because the exporter does not count them as remote hosts, and they identify no one. */
const localHosts: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '::1']);

/** A word: letters and digits in any script. A domain label in punycode is one word. */
const words = /xn--[a-z0-9-]+|(?:(?!\s)[a-z0-9\u0080-\u{10ffff}])+/giu;
/** Matches names, domains, mail addresses and paths. */
const structured = /^(?:(?!\s)[\w.@/*~:%+\u0080-\u{10ffff}-])+$/u;

/** The folder that the exporter removes from the path of a site. */
const publicFolder = /((?<=^|\/)public_html(?=\/|$))/;

/**
 * Replaces the names in answers. Equal words get equal substitutes in all answers, so `www.example.com` and `/home/example.com` keep the
 * same domain. A text that does not match `structured` gets one substitute as a whole, because it could contain a password.
 */
export class Anonymizer {
  /** Fields that the documentation does not name. A recording contains substitutes for the names of these fields. */
  readonly unknownFields = new Set<string>();
  /** Words that may be states that `stateFields` does not list. A recording keeps each word unless the account uses it as a name. */
  readonly #stateWords = new Set<string>();
  /** Words of the configuration, in lower case. They count as names even if no answer contains them as names. */
  readonly #protected = new Set<string>();
  readonly #shift: number;
  /** Maps each replaced text to the number in its substitute. Words are in lower case. */
  readonly #numbers = new Map<string | number, number>();
  readonly #words = new Map<string, string>();
  readonly #used = new Set<string>();

  /** `shift`: number of days by which dates are moved. */
  constructor(shift: number) {
    this.#shift = shift;
  }

  /** Treats the words of a text as names. */
  protect(text: string): void {
    for (const [word] of text.matchAll(words)) this.#protected.add(word.toLowerCase());
  }

  /** The words that are kept although they may be names. A user must check these words. */
  get keptWords(): readonly string[] {
    return [...this.#stateWords].filter((word) => !this.#isName(word));
  }

  /**
   * Replaces the names in the value of a field. Convert the result to JSON only after all answers went through this function. Throws
   * RangeError if the value is nested too deeply.
   */
  anonymize(value: unknown, field = '', depth = maxDepth): unknown {
    if (depth === 0) throw new RangeError(`nested deeper than ${maxDepth} levels`);
    if (Array.isArray(value)) return value.map((element) => this.anonymize(element, field, depth - 1));
    if (typeof value === 'object' && value !== null) {
      const entries = Object.entries(value).map(([key, inner]) => {
        // In an object with a date, `value` is a figure. In all other objects, it is the content of a DNS record.
        const innerField = key === 'value' && !('date' in value) ? 'address' : key;
        return [this.#nameOfField(key), this.anonymize(inner, innerField, depth - 1)];
      });
      return Object.fromEntries(entries);
    }
    if (typeof value !== 'string' && typeof value !== 'number') return value;
    const text = String(value);
    const states = stateFields.get(field);
    if (text.length <= maxKept && (patterns.get(field) ?? states)?.test(text) === true) {
      return typeof value === 'string' ? shiftDate(value, this.#shift) : value;
    }
    if (states !== undefined && stateWord.test(text)) {
      this.#stateWords.add(text);
      // Decide only in `toJSON` whether the word is kept, because a later answer may contain the word as a name.
      return { toJSON: () => (this.#isName(text) ? this.#substituteFor(text) : text) };
    }
    return typeof value === 'number' ? this.#numberOf(value) : this.#substituteFor(value);
  }

  get replaced(): number {
    return this.#numbers.size;
  }

  #isName(text: string): boolean {
    const found = [...text.matchAll(words)].map(([word]) => word.toLowerCase());
    return [text.toLowerCase(), ...found].some((word) => this.#numbers.has(word) || this.#protected.has(word));
  }

  #nameOfField(name: string): string {
    if (patterns.has(name) || stateFields.has(name) || otherFields.has(name)) return name;
    this.unknownFields.add(name);
    return this.#substituteFor(name);
  }

  #substituteFor(text: string): string {
    if (text === '' || localHosts.has(text.toLowerCase())) return text;
    const version = isIP(text);
    if (version !== 0) return addressFor(version, this.#numberOf(text));
    if (!structured.test(text)) return `text ${this.#numberOf(text)}`;
    const parts = text.split(publicFolder).map((part) => (publicFolder.test(part) ? part : this.#replaceWords(part)));
    return parts.join('');
  }

  #replaceWords(text: string): string {
    return text.replace(words, (found) => {
      if (!/^xn--/i.test(found)) return this.#wordFor(found);
      const label = domainToUnicode(found);
      return /^(?:xn--|$)/i.test(label) ? this.#wordFor(found) : domainToASCII(this.#replaceWords(label));
    });
  }

  /** Keeps the script and the case of a word, because the API and the exporter may depend on them. */
  #wordFor(found: string): string {
    const known = this.#words.get(found);
    if (known !== undefined) return known;
    const lower = found.toLowerCase();
    const number = this.#numberOf(lower);
    const base = /^[\x21-\x7e]+$/.test(found) ? `name${number}` : `имя${number}`;
    const capitalized = base.charAt(0).toUpperCase() + base.slice(1);
    const cased = found === lower ? base : found === found.toUpperCase() ? base.toUpperCase() : capitalized;
    // Two spellings of a word with different capital letters must not get the same substitute.
    const substitute = this.#used.has(cased) ? `${base}x${this.#words.size}` : cased;
    this.#used.add(substitute);
    this.#words.set(found, substitute);
    return substitute;
  }

  #numberOf(value: string | number): number {
    const number = this.#numbers.get(value) ?? this.#numbers.size + 1;
    this.#numbers.set(value, number);
    return number;
  }
}

/** Returns an address that is reserved for documentation or tests. */
function addressFor(version: number, number: number): string {
  if (version === 6) return `2001:db8::${number.toString(16)}`;
  return `198.${18 + Math.floor(number / 65_536)}.${Math.floor(number / 256) % 256}.${number % 256}`;
}
