import type { Dialect } from '../api/dialect.ts';
import { isJsonObject, type JsonObject } from './json.ts';
import { Refusal } from './refusal.ts';
import type { ApiRequest } from './request.ts';

/** Input that makes the live provider answer HTTP 500 outside its envelope. */
export class BrokenInput extends Error {
  override readonly name = 'BrokenInput';
  readonly contentType: string;

  constructor(contentType: string, body: string) {
    super(body);
    this.contentType = contentType;
  }
}

/**
 * The arguments of a call. The provider takes them from plain parameters, or from the JSON of `input_data` where `input_format`
 * is json. In the specification's dialect plain parameters are always read, since it shows them next to input_format=json.
 */
export function readArguments(dialect: Dialect, request: ApiRequest): JsonObject {
  const { inputFormat = 'plain', inputData, parameters } = request;
  if (inputFormat !== 'plain' && inputFormat !== 'json') {
    throw dialect === 'provider'
      ? new BrokenInput('text/html; charset=utf-8', '<html><body><h1>500 Internal Server Error</h1></body></html>')
      : new Refusal('malformed', 'input_format is plain or json');
  }
  if (request.outputFormat !== undefined && request.outputFormat !== 'json') {
    throw new Refusal('malformed', 'output_format is json');
  }
  if (inputFormat === 'plain') {
    return parameters;
  }
  const data = inputData === undefined ? {} : parseInputData(dialect, inputData);
  return dialect === 'provider' ? data : { ...parameters, ...data };
}

function parseInputData(dialect: Dialect, text: string): JsonObject {
  let data: unknown;
  try {
    data = JSON.parse(text);
  } catch {
    data = undefined;
  }
  if (isJsonObject(data)) {
    return data;
  }
  // PHP writes an object without fields as a list.
  if (Array.isArray(data)) {
    return {};
  }
  throw dialect === 'provider'
    ? new BrokenInput('text/plain; charset=utf-8', 'Cannot parse the JSON input params')
    : new Refusal('malformed', 'input_data is not an object of JSON');
}
