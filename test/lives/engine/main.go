// Command engine evaluates the alert rules with Prometheus' own rule engine and a simulated clock. It applies the
// routes of Alertmanager's configuration to the alerts. It reads one world as JSON from the standard input, and writes
// the notifications to the standard output.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"log/slog"
	"math"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/prometheus/common/model"
	"github.com/prometheus/prometheus/model/labels"
	"github.com/prometheus/prometheus/model/rulefmt"
	"github.com/prometheus/prometheus/model/value"
	"github.com/prometheus/prometheus/promql"
	"github.com/prometheus/prometheus/promql/parser"
	"github.com/prometheus/prometheus/rules"
	"github.com/prometheus/prometheus/storage"
	"github.com/prometheus/prometheus/tsdb"
)

// series is a series of an exporter. Values[i] is the value from minute At[i] on. An empty value ends the series.
// A value that begins with "now" is the time of the scrape plus a number of seconds.
type series struct {
	Labels map[string]string
	At     []float64
	Values []string

	labels  labels.Labels
	next    int
	present bool
	isClock bool
	value   float64
}

// world is one Prometheus with its exporters. Minute 0 is the time Start. Before minute 0, the steps of scrapes and
// evaluations are longer.
type world struct {
	Rules, Alertmanager        string
	Start                      int64
	History, HistoryStep       int
	Minutes                    int
	ScrapeSeconds, EvalSeconds int
	Away                       [][2]int
	Series                     []*series
}

// interval is a time in which an alert fires. If the alert fires until the end of the world, To is this end.
type interval struct {
	Labels   map[string]string
	From, To float64
}

// returnMinutes is a limit after a restart of Prometheus. If an alert fires again within it, the alert counts as
// uninterrupted.
const returnMinutes = 10

// historyScrape is the number of minutes between two scrapes before minute 0.
const historyScrape = 5

type simulation struct {
	world
	db     *tsdb.DB
	engine *promql.Engine
	parser parser.Parser
	groups []*rules.Group
	// restore counts the evaluations until a group restores its alerts. As in Prometheus, the first evaluation may lack
	// samples.
	restore  map[*rules.Group]int
	returned int64
	open     map[string]*interval
	closed   []*interval
}

func main() {
	var w world
	must(json.NewDecoder(os.Stdin).Decode(&w))
	folder, err := os.MkdirTemp("", "lives-")
	must(err)
	defer os.RemoveAll(folder)
	s := newSimulation(w, folder)
	defer s.db.Close()
	s.run()
	must(json.NewEncoder(os.Stdout).Encode(notifications(w, s.closed)))
}

func must(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func newSimulation(w world, folder string) *simulation {
	opts := tsdb.DefaultOptions()
	opts.WALSegmentSize = -1
	opts.NoLockfile = true
	// Keeps all samples in memory.
	opts.MinBlockDuration = (1000 * 24 * time.Hour).Milliseconds()
	opts.MaxBlockDuration = opts.MinBlockDuration
	opts.RetentionDuration = 0
	db, err := tsdb.Open(folder, slog.New(slog.DiscardHandler), nil, opts, nil)
	must(err)
	p := parser.NewParser(parser.Options{})
	s := &simulation{world: w, db: db, parser: p, open: map[string]*interval{}}
	s.engine = promql.NewEngine(promql.EngineOpts{
		MaxSamples:               50_000_000,
		Timeout:                  time.Minute,
		NoStepSubqueryIntervalFn: func(int64) int64 { return time.Minute.Milliseconds() },
		EnableAtModifier:         true,
		Parser:                   p,
	})
	for _, one := range s.Series {
		one.labels = labels.FromMap(one.Labels)
	}
	s.start()
	return s
}

// start loads the rules without the state of alerts, like a Prometheus that was just started.
func (s *simulation) start() {
	manager := rules.NewManager(&rules.ManagerOptions{
		QueryFunc:       rules.EngineQueryFunc(s.engine, s.db),
		NotifyFunc:      func(context.Context, string, ...*rules.Alert) {},
		Context:         context.Background(),
		AppendableV2:    s.db,
		Queryable:       s.db,
		Logger:          slog.New(slog.DiscardHandler),
		OutageTolerance: time.Hour,
		ForGracePeriod:  10 * time.Minute,
		ResendDelay:     time.Minute,
		Parser:          s.parser,
	})
	byKey, errs := manager.LoadGroups(time.Duration(s.EvalSeconds)*time.Second, labels.EmptyLabels(), "", nil, false, s.Rules)
	if len(errs) > 0 {
		must(errs[0])
	}
	content, err := os.ReadFile(s.Rules)
	must(err)
	file, errs := rulefmt.Parse(content, false, model.UTF8Validation, s.parser, slog.New(slog.DiscardHandler))
	if len(errs) > 0 {
		must(errs[0])
	}
	s.groups = nil
	s.restore = map[*rules.Group]int{}
	for _, group := range file.Groups {
		g := byKey[rules.GroupKey(s.Rules, group.Name)]
		s.groups = append(s.groups, g)
		s.restore[g] = 2
	}
}

func (s *simulation) run() {
	for minute := -s.History; minute < 0; minute += s.HistoryStep {
		second := int64(minute) * 60
		for part := int64(s.HistoryStep) - historyScrape; part >= 0; part -= historyScrape {
			s.scrape(second - part*60)
		}
		for _, g := range s.groups {
			s.evaluate(g, second)
		}
	}
	away := false
	for second := int64(0); second <= int64(s.Minutes)*60; second++ {
		was := away
		away = s.isAway(second)
		if away {
			continue
		}
		if was {
			s.returned = second
			s.start()
		}
		// Like Prometheus, spreads scrapes and evaluations over their intervals.
		if second%int64(s.ScrapeSeconds) == 7 {
			s.scrape(second)
		}
		for _, g := range s.groups {
			every := max(int64(g.Interval().Seconds()), int64(s.EvalSeconds))
			if second%every == phase(g.Name(), every) {
				s.evaluate(g, second)
			}
		}
	}
	for _, one := range s.open {
		one.To = float64(s.Minutes)
		s.closed = append(s.closed, one)
	}
}

func (s *simulation) isAway(second int64) bool {
	for _, part := range s.Away {
		if second >= int64(part[0])*60 && second < int64(part[1])*60 {
			return true
		}
	}
	return false
}

// phase is below four minutes, so that queries with an offset of days find samples before minute 0.
func phase(name string, every int64) int64 {
	hash := fnv.New32a()
	hash.Write([]byte(name))
	return int64(hash.Sum32()) % min(every, 240)
}

func (s *simulation) scrape(second int64) {
	at := (s.Start + second) * 1000
	app := s.db.AppenderV2(context.Background())
	for _, one := range s.Series {
		had := one.present
		for one.next < len(one.At) && one.At[one.next]*60 <= float64(second) {
			text := one.Values[one.next]
			one.present = text != ""
			if one.present {
				offset, isClock := strings.CutPrefix(text, "now")
				v, err := strconv.ParseFloat(offset, 64)
				must(err)
				one.value, one.isClock = v, isClock
			}
			one.next++
		}
		v := one.value
		if one.isClock {
			v += float64(at) / 1000
		}
		if !one.present {
			if !had {
				continue
			}
			v = math.Float64frombits(value.StaleNaN)
		}
		_, err := app.Append(0, one.labels, 0, at, v, nil, nil, storage.AppendV2Options{})
		must(err)
	}
	must(app.Commit())
}

func (s *simulation) evaluate(g *rules.Group, second int64) {
	ts := time.Unix(s.Start+second, 0).UTC()
	g.Eval(context.Background(), ts)
	if s.restore[g] > 0 {
		s.restore[g]--
		if s.restore[g] == 0 {
			g.RestoreForState(ts)
		}
	}
	for _, r := range g.Rules() {
		if err := r.LastError(); err != nil {
			must(fmt.Errorf("minute %d: %s: %w", second/60, r.Name(), err))
		}
	}
	firing := map[string]labels.Labels{}
	for _, r := range g.AlertingRules() {
		for _, a := range r.ActiveAlerts() {
			if a.State == rules.StateFiring {
				firing[a.Labels.String()] = a.Labels
			}
		}
	}
	minute := float64(second) / 60
	for key, ls := range firing {
		if s.open[key] == nil {
			s.open[key] = &interval{Labels: ls.Map(), From: minute}
		}
	}
	if s.returned > 0 && second < s.returned+returnMinutes*60 {
		return
	}
	names := map[string]bool{}
	for _, r := range g.AlertingRules() {
		names[r.Name()+" "+r.Labels().Get("severity")] = true
	}
	for key, one := range s.open {
		_, still := firing[key]
		if !still && names[one.Labels[model.AlertNameLabel]+" "+one.Labels["severity"]] {
			one.To = minute
			s.closed = append(s.closed, one)
			delete(s.open, key)
		}
	}
}
