// Serves series with client_golang's promhttp, in the way that its documentation describes.
// Argument: URL to copy the series from. Prints the URL of the page.
package main

import (
	"bufio"
	"fmt"
	"log"
	"net"
	"net/http"
	"os"
	"regexp"
	"strconv"
	"strings"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

var series = regexp.MustCompile(`^(\w+)(?:{(.*)})? (\S+)$`)
var label = regexp.MustCompile(`(\w+)="([^"]*)"`)

func main() {
	page, err := http.Get(os.Args[1])
	if err != nil {
		log.Fatal(err)
	}
	gauges := map[string]*prometheus.GaugeVec{}
	for lines := bufio.NewScanner(page.Body); lines.Scan(); {
		if strings.HasPrefix(lines.Text(), "hosting_") {
			copySeries(lines.Text(), gauges)
		}
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("http://%s/metrics\n", listener.Addr())
	http.Handle("/metrics", promhttp.Handler())
	log.Fatal(http.Serve(listener, nil))
}

func copySeries(line string, gauges map[string]*prometheus.GaugeVec) {
	match := series.FindStringSubmatch(line)
	var names, values []string
	for _, pair := range label.FindAllStringSubmatch(match[2], -1) {
		names, values = append(names, pair[1]), append(values, pair[2])
	}
	gauge, known := gauges[match[1]]
	if !known {
		gauge = prometheus.NewGaugeVec(prometheus.GaugeOpts{Name: match[1], Help: "The same help."}, names)
		prometheus.MustRegister(gauge)
		gauges[match[1]] = gauge
	}
	value, err := strconv.ParseFloat(match[3], 64)
	if err != nil {
		log.Fatal(err)
	}
	gauge.WithLabelValues(values...).Set(value)
}
