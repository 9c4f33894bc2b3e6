"""Runs a client for the provider's API against a sandbox.

Reads one step per line of stdin as JSON, and answers each with one line on stdout. Arguments: the client, the base URL of the
sandbox, the login, the API password, and an empty folder for the files of a plugin. The clients have fixed base URLs, which the driver replaces.
"""

import asyncio
import json
import os
import sys

client, base_url, login, password, folder = sys.argv[1:]

# The output of a client must not mix with the answers.
answers = os.fdopen(os.dup(1), "w")
os.dup2(2, 1)


def begetapi():
    """begetAPI: a class for each section of the API. The base URL is part of the URL of each method."""
    import begetAPI
    from begetAPI import cron

    rest = cron.REST_API
    original = [url for section in rest.values() for url in section.values()]
    names = {}
    for section, urls in rest.items():
        for name, url in urls.items():
            path = url.split("/api/")[1]
            names[path] = (section, name)
            urls[name] = f"{base_url}/{path}"
    clients = [begetAPI.Beget(login, password, asynchronous) for asynchronous in (False, True)]

    def call(method, parameters, asynchronous):
        section, name = names[method]
        answer = getattr(getattr(clients[asynchronous], section), name)(**parameters)
        if asynchronous:
            answer = asyncio.run(awaited(answer))
        return {"is_success": answer.is_success, "error_code": answer.error_code, "answer": answer.json}

    async def awaited(answer):
        return await answer

    return {"call": call, "urls": lambda: original, "methods": lambda: list(names)}


def beget_mcp():
    """beget-mcp: tools of the Model Context Protocol, called as its server calls them."""
    import mcp_beget.tools
    from mcp_beget.app import mcp
    from mcp_beget.client import BegetClient, init_client
    from mcp_beget.config import BegetConfig

    BegetClient.API_BASE = base_url
    init_client(BegetConfig(login, password))

    def call(tool, parameters):
        content = asyncio.run(mcp.call_tool(tool, parameters))
        blocks = content[0] if isinstance(content, tuple) else content
        return json.loads(blocks[0].text)

    return {"call": call, "tools": lambda: [tool.name for tool in asyncio.run(mcp.list_tools())]}


def certbot(plugin, module, constant, keys):
    """A plugin of Certbot: its authenticator solves challenges as Certbot calls it, with a credentials file."""
    import argparse
    import importlib

    import josepy
    from acme import challenges, messages
    from certbot import achallenges, configuration
    from certbot._internal.display import obj as display
    from cryptography.hazmat.primitives.asymmetric import rsa

    module = importlib.import_module(module)
    setattr(module, constant, base_url)
    prefix = plugin.replace("-", "_")
    credentials = os.path.join(folder, "credentials.ini")
    with open(credentials, "w", encoding="utf-8") as file:
        for key, value in zip(keys, (login, password)):
            file.write(f'{prefix}_{key} = "{value}"\n')
    os.chmod(credentials, 0o600)
    display.set_display(display.FileDisplay(sys.stderr, True))
    settings = {f"{prefix}_credentials": credentials, f"{prefix}_propagation_seconds": 0}
    folders = {name: folder for name in ("config_dir", "work_dir", "logs_dir")}
    ports = {"http01_port": 80, "https_port": 443, "domains": [], "noninteractive_mode": True}
    config = configuration.NamespaceConfig(argparse.Namespace(**settings, **folders, **ports))
    authenticator = module.Authenticator(config, plugin)
    authenticator.prepare()
    key = josepy.JWKRSA(key=rsa.generate_private_key(65537, 2048))

    def challenge(domain, token):
        challb = messages.ChallengeBody(
            chall=challenges.DNS01(token=token.encode().ljust(16)), uri="http://127.0.0.1/", status=messages.STATUS_PENDING
        )
        return achallenges.KeyAuthorizationAnnotatedChallenge(challb=challb, account_key=key, domain=domain)

    def step(do):
        def run(domain, token):
            achall = challenge(domain, token)
            do([achall])
            return {"name": achall.validation_domain_name(domain), "value": achall.validation(key)}

        return run

    return {"present": step(authenticator.perform), "cleanup": step(authenticator.cleanup)}


clients = {
    "begetAPI": begetapi,
    "beget-mcp": beget_mcp,
    "certbot-dns-beget": lambda: certbot(
        "dns-beget", "certbot_dns_beget._internal.dns_beget", "API_URL", ("login", "password")
    ),
    "certbot-dns-beget-api": lambda: certbot(
        "dns-beget-api", "certbot_dns_beget.dns_beget_api", "BASE_API_URL", ("username", "password")
    ),
    "certbot-beget-plugin": lambda: certbot(
        "beget-plugin", "certbot_beget_plugin.beget_plugin", "BASE_API_URL", ("username", "password")
    ),
}

steps = clients[client]()
for line in sys.stdin:
    step = json.loads(line)
    try:
        answer = {"result": steps[step.pop("do")](**step)}
    except Exception as error:
        answer = {"error": f"{type(error).__name__}: {error}"}
    print(json.dumps(answer), file=answers, flush=True)
