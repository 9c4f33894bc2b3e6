// Runs the provider "beget" of lego against a sandbox. Each line of stdin is a step as JSON, and each step gets one
// line as its answer. Arguments: the base URL of the sandbox, the login and the API password.
package main

import (
	"bufio"
	"encoding/json"
	"net/http"
	"net/url"
	"os"
	"strings"

	"github.com/go-acme/lego/v4/challenge/dns01"
	"github.com/go-acme/lego/v4/providers/dns/beget"
)

// Sends every request to the sandbox, because the provider has a fixed base URL.
type toSandbox struct{ base *url.URL }

func (t toSandbox) RoundTrip(request *http.Request) (*http.Response, error) {
	moved := request.Clone(request.Context())
	moved.URL.Scheme = t.base.Scheme
	moved.URL.Host = t.base.Host
	moved.Host = t.base.Host
	moved.URL.Path = t.base.Path + strings.TrimPrefix(moved.URL.Path, "/api")
	return http.DefaultTransport.RoundTrip(moved)
}

type step struct {
	Do      string
	Domain  string
	KeyAuth string
}

type answer struct {
	Name  string `json:"name,omitempty"`
	Value string `json:"value,omitempty"`
	Error string `json:"error,omitempty"`
}

func run(provider *beget.DNSProvider, next step) answer {
	info := dns01.GetChallengeInfo(next.Domain, next.KeyAuth)
	result := answer{Name: dns01.UnFqdn(info.EffectiveFQDN), Value: info.Value}
	var err error
	if next.Do == "present" {
		err = provider.Present(next.Domain, "token", next.KeyAuth)
	} else {
		err = provider.CleanUp(next.Domain, "token", next.KeyAuth)
	}
	if err != nil {
		result.Error = err.Error()
	}
	return result
}

func main() {
	base, err := url.Parse(os.Args[1])
	if err != nil {
		panic(err)
	}
	config := beget.NewDefaultConfig()
	config.Username = os.Args[2]
	config.Password = os.Args[3]
	config.HTTPClient = &http.Client{Transport: toSandbox{base}}
	provider, err := beget.NewDNSProviderConfig(config)
	if err != nil {
		panic(err)
	}
	lines := bufio.NewScanner(os.Stdin)
	answers := json.NewEncoder(os.Stdout)
	for lines.Scan() {
		var next step
		if err := json.Unmarshal(lines.Bytes(), &next); err != nil {
			panic(err)
		}
		if err := answers.Encode(run(provider, next)); err != nil {
			panic(err)
		}
	}
}
